package dev.ingest.app.run;

import com.zaxxer.hikari.HikariDataSource;
import dev.ingest.app.config.Config;
import dev.ingest.app.config.ParkedSettings;
import dev.ingest.app.parked.HealPolicy;
import dev.ingest.app.parked.ParkedHealer;
import dev.ingest.app.parked.ParkedRetry;
import java.time.Duration;

/**
 * What {@code ingest run} does beside its consumers: tries parked events again. It has connections
 * of its own, so that it takes none from the consumers. {@link #close} is idempotent.
 */
public final class QueueWork implements AutoCloseable {
  private static final Duration FIRST_DELAY = Duration.ofSeconds(30);
  private static final Duration LONGEST_DELAY = Duration.ofHours(1);

  private final HikariDataSource pool;
  private final ParkedHealer healer;

  private QueueWork(HikariDataSource pool, ParkedHealer healer) {
    this.pool = pool;
    this.healer = healer;
  }

  /** Builds everything and starts nothing. */
  public static QueueWork create(Config config) {
    HikariDataSource pool = Pools.pool(config.postgres(), 2);
    ParkedRetry retry = new ParkedRetry(pool, ParkedWriters.of(config, pool));
    return new QueueWork(pool, new ParkedHealer(retry, policy(config.parked())));
  }

  private static HealPolicy policy(ParkedSettings parked) {
    return new HealPolicy(
        parked.retry().sqlStates(),
        parked.retry().missingPartition(),
        parked.maxAttempts(),
        FIRST_DELAY,
        LONGEST_DELAY);
  }

  public void start() {
    healer.start();
  }

  @Override
  public void close() {
    healer.close();
    pool.close();
  }
}
