package dev.ingest.app.bench.queue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.ingest.app.bench.BenchFailure;
import dev.ingest.app.bench.Database;
import dev.ingest.queue.HandlerSettings;
import dev.ingest.queue.JobEvents;
import dev.ingest.queue.JobWorkers;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** The product's queue with a handler that does nothing, as a library user runs it. */
final class HandlerRace {
  private static final int BATCH = 100;

  private HandlerRace() {}

  /** From the start of the workers to the commit of the last completion. */
  static double seconds(Database database, int jobs, int threads) {
    CountDownLatch over = new CountDownLatch(1);
    AtomicLong left = new AtomicLong(jobs);
    JobEvents counting =
        new JobEvents() {
          @Override
          public void completed(String queue, int done) {
            if (left.addAndGet(-done) <= 0) {
              over.countDown();
            }
          }
        };
    HikariConfig config = new HikariConfig();
    config.setDataSource(database.dataSource());
    config.setMaximumPoolSize(2); // one of the queue, one of housekeeping
    try (HikariDataSource pool = new HikariDataSource(config)) {
      long start = System.nanoTime();
      try (JobWorkers workers =
          JobWorkers.on(pool)
              .handle(
                  ProductClaimer.QUEUE,
                  HandlerSettings.DEFAULT.threads(threads).batch(BATCH),
                  job -> {})
              .listener(counting)
              .start()) {
        workers.wakeAll();
        over.await();
        return (System.nanoTime() - start) / 1e9;
      }
    } catch (InterruptedException stopped) {
      throw BenchFailure.of("our workers", stopped);
    }
  }
}
