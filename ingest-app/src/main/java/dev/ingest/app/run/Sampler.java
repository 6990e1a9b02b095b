package dev.ingest.app.run;

import dev.ingest.app.jobs.JobMeters;
import dev.ingest.app.metrics.DatabaseMeters;
import dev.ingest.queue.JobQueue;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that asks the database what the gauges show. While the database is away they show what
 * was last known. {@link #close} is idempotent.
 */
final class Sampler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sampler.class);
  private static final Duration EVERY = Duration.ofSeconds(10);

  /** Counting jobs reads the table; it may take one part in so many of the time. */
  private static final int SHARE = 50;

  private final DataSource database;
  private final JobMeters jobs;
  private final DatabaseMeters server;
  private final JobQueue queue = new JobQueue();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "sampler");

  Sampler(DataSource database, JobMeters jobs, DatabaseMeters server) {
    this.database = database;
    this.jobs = jobs;
    this.server = server;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    Duration pause = Duration.ZERO;
    try {
      while (!stop.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        long begun = System.nanoTime();
        sample();
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        pause = took.multipliedBy(SHARE).compareTo(EVERY) > 0 ? took.multipliedBy(SHARE) : EVERY;
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void sample() {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(true);
      server.sample(connection);
      jobs.depth(queue.depth(connection));
    } catch (SQLException | RuntimeException away) {
      LOG.debug("gauges not sampled: {}", away.getClass().getSimpleName());
    }
  }

  @Override
  public void close() {
    stop.countDown();
    thread.interrupt();
  }
}
