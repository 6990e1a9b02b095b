package dev.ingest.queue;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The thread that returns jobs of dead workers to their queues and forgets finished ones. Every
 * process has one; they pass each other's rows over.
 */
final class Housekeeper {
  private static final Duration REAP_EVERY = Duration.ofSeconds(5);
  private static final Duration PURGE_EVERY = Duration.ofMinutes(10);
  private static final int STEP = 1000;

  /** A worn index makes reaping slow; it may take one part in so many of the time. */
  private static final int SHARE = 50;

  private static final Duration LONGEST = Duration.ofMinutes(1);

  private final Site site;
  private final Duration keepFinished;
  private final SplittableRandom random = new SplittableRandom();
  private final Bell stop = new Bell();
  private final Thread thread = new Thread(this::run, "jobs-housekeeper");
  private long purgeAt = System.nanoTime();

  Housekeeper(Site site, Duration keepFinished) {
    this.site = site;
    this.keepFinished = keepFinished;
  }

  void start() {
    thread.start();
  }

  void close() throws InterruptedException {
    stop.ring();
    thread.join(1000);
    thread.interrupt();
  }

  private void run() {
    int failures = 0;
    try {
      while (stop.rings() == 0) {
        Duration pause;
        try {
          pause = round();
          failures = 0;
        } catch (SQLException | RuntimeException | Error failed) {
          pause = WorkLoop.PAUSE.delay(++failures, random);
          site.events().databaseFailed("housekeeping of jobs", WorkLoop.told(failed), pause);
        }
        stop.await(0, pause);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private Duration round() throws SQLException {
    long took;
    try (Connection connection = site.dataSource().getConnection()) {
      connection.setAutoCommit(true);
      long begun = System.nanoTime();
      reap(connection);
      took = System.nanoTime() - begun;
      if (purgeAt - begun <= 0) {
        site.queue().purge(connection, keepFinished);
        purgeAt = begun + PURGE_EVERY.toNanos();
      }
    }
    // Random, so that processes which started together do not reap together.
    long pause = REAP_EVERY.toNanos() / 2 + random.nextLong(REAP_EVERY.toNanos());
    return Duration.ofNanos(Math.max(pause, Math.min(SHARE * took, LONGEST.toNanos())));
  }

  private void reap(Connection connection) throws SQLException {
    List<JobQueue.Reaped> reaped;
    do {
      reaped = site.queue().reap(connection, STEP);
      reaped.forEach(site.events()::leaseExpired);
    } while (reaped.size() == STEP);
  }
}
