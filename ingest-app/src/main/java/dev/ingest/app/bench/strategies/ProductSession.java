package dev.ingest.app.bench.strategies;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.ingest.app.bench.Database;
import dev.ingest.event.Event;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.pipeline.BadEvents;
import dev.ingest.pipeline.BatchLimits;
import dev.ingest.pipeline.ConsumerSettings;
import dev.ingest.pipeline.EventWriter;
import dev.ingest.plan.KeyReader;
import dev.ingest.plan.LockScheme;
import dev.ingest.postgres.PostgresEventStore;
import dev.ingest.postgres.StoreSettings;
import dev.ingest.postgres.Timeouts;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.LongAdder;

/** The product's own writer, without Kafka, on a pool of one connection. */
final class ProductSession implements BatchSession {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final HikariDataSource pool;
  private final EventWriter writer;

  ProductSession(Database database, TargetMapping target, LockScheme locks, LongAdder retries) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(database.dataSource());
    config.setMaximumPoolSize(1);
    this.pool = new HikariDataSource(config);
    ConsumerSettings settings =
        new ConsumerSettings(
            BatchLimits.of(100_000, 64 << 20, Duration.ZERO),
            locks,
            KeyReader.recordKey(),
            BadEvents.park());
    PostgresEventStore store =
        new PostgresEventStore(
            pool,
            new StoreSettings(
                target, Timeouts.DEFAULT, OptionalInt.empty(), 1, OptionalInt.empty()));
    this.writer = new EventWriter(new CountingStore(store, retries), settings);
  }

  @Override
  public void write(List<Event> batch) {
    writer.write(batch, PATIENCE);
  }

  @Override
  public void close() {
    pool.close();
  }
}
