package dev.ingest.app.run;

import com.zaxxer.hikari.HikariDataSource;
import dev.ingest.app.config.Config;
import dev.ingest.app.config.JobSettings;
import dev.ingest.app.config.ParkedSettings;
import dev.ingest.app.config.RouteSettings;
import dev.ingest.app.jobs.EventJobs;
import dev.ingest.app.jobs.JobLog;
import dev.ingest.app.jobs.JobMeters;
import dev.ingest.app.jobs.JobsAtWork;
import dev.ingest.app.metrics.DatabaseMeters;
import dev.ingest.app.metrics.ProcessMetrics;
import dev.ingest.app.parked.HealPolicy;
import dev.ingest.app.parked.ParkedHealer;
import dev.ingest.app.parked.ParkedRetry;
import dev.ingest.pipeline.IngestEvents;
import dev.ingest.pipeline.WriteOutcome;
import dev.ingest.plan.Chunk;
import dev.ingest.queue.JobEvents;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code ingest run} does beside its consumers: the jobs of new events, and parked events
 * again. It has connections of its own, so that it takes none from the consumers. {@link #start}
 * once; {@link #close} is idempotent.
 */
public final class QueueWork implements AutoCloseable {
  private static final Duration FIRST_DELAY = Duration.ofSeconds(30);
  private static final Duration LONGEST_DELAY = Duration.ofHours(1);

  /** The healer holds jobs with one connection and writes with another; one is the sampler's. */
  private static final int OWN_CONNECTIONS = 3;

  private final Config config;
  private final HikariDataSource pool;
  private final ParkedHealer healer;
  private final JobMeters meters;
  private final Sampler sampler;
  private final EventJobs eventJobs;
  private volatile @Nullable JobsAtWork jobs;

  private QueueWork(Config config, HikariDataSource pool, ProcessMetrics metrics) {
    this.config = config;
    this.pool = pool;
    ParkedRetry retry = new ParkedRetry(pool, ParkedWriters.of(config, pool));
    this.healer = new ParkedHealer(retry, policy(config));
    this.meters = new JobMeters(metrics.registry());
    this.sampler = new Sampler(pool, meters, new DatabaseMeters(metrics.registry()));
    this.eventJobs = new EventJobs(config.jobs());
  }

  /** Builds everything and starts nothing. */
  public static QueueWork create(Config config, ProcessMetrics metrics) {
    int connections = OWN_CONNECTIONS + JobsAtWork.connections(config.jobs(), config.workers());
    return new QueueWork(config, Pools.pool(config.postgres(), connections), metrics);
  }

  private static HealPolicy policy(Config config) {
    ParkedSettings parked = config.parked();
    return new HealPolicy(
        parked.retry().sqlStates(),
        parked.retry().missingPartition(),
        config.routes().stream()
            .filter(route -> route.target().rules().tombstone().deletes())
            .map(RouteSettings::name)
            .toList(),
        parked.maxAttempts(),
        FIRST_DELAY,
        LONGEST_DELAY);
  }

  public void start() {
    config.jobs().stream().map(JobSettings::name).forEach(meters::expect);
    jobs =
        JobsAtWork.start(
            pool,
            config.kafka(),
            config.jobs(),
            config.workers(),
            config.closeTimeout(),
            JobEvents.all(List.of(meters, new JobLog())));
    healer.start();
    sampler.start();
  }

  /** Wakes workers of this process when it has committed jobs for them. */
  public IngestEvents listener() {
    return new IngestEvents() {
      @Override
      public void applied(Chunk chunk, WriteOutcome.Applied applied, Instant at) {
        JobsAtWork working = jobs;
        if (working != null && applied.inserted() > 0) {
          eventJobs.queues(chunk.route()).forEach(working::wake);
        }
      }
    };
  }

  @Override
  public void close() {
    sampler.close();
    healer.close();
    JobsAtWork working = jobs;
    if (working != null) {
      working.close();
    }
    pool.close();
  }
}
