package dev.ingest.app.bench.queue;

import dev.ingest.app.bench.BenchFailure;
import dev.ingest.app.bench.Database;
import dev.ingest.app.bench.Percentiles;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Workers, each with a thread and a connection, empty a queue. Used once. */
final class QueueRace {
  private final Database database;
  private final Supplier<Claimer> claimers;
  private final long jobs;
  private final AtomicLong done = new AtomicLong();
  private final CountDownLatch ready;
  private final CountDownLatch go = new CountDownLatch(1);
  private final Percentiles millis = new Percentiles();
  private final int workers;

  /**
   * @param millis that claims took which got jobs, with completing them
   */
  record Outcome(long jobs, double seconds, Percentiles millis) {
    double rate() {
      return jobs / seconds;
    }
  }

  /**
   * @param jobs that are in the queue: the race is over when so many are done
   */
  QueueRace(Database database, Supplier<Claimer> claimers, int workers, long jobs) {
    this.database = database;
    this.claimers = claimers;
    this.workers = workers;
    this.jobs = jobs;
    this.ready = new CountDownLatch(workers);
  }

  Outcome run() {
    ExecutorService threads = Executors.newFixedThreadPool(workers);
    try {
      List<Future<?>> working = new ArrayList<>();
      for (int i = 0; i < workers; i++) {
        working.add(threads.submit(this::work));
      }
      ready.await();
      long start = System.nanoTime();
      go.countDown();
      for (Future<?> each : working) {
        each.get();
      }
      return new Outcome(jobs, (System.nanoTime() - start) / 1e9, millis);
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof SQLException sql
          ? BenchFailure.of("a worker", sql)
          : BenchFailure.of("a worker", failed);
    } catch (InterruptedException stopped) {
      throw BenchFailure.of("a worker", stopped);
    } finally {
      threads.shutdownNow();
    }
  }

  private Long work() throws SQLException, InterruptedException {
    Claimer claimer = claimers.get();
    List<Double> took = new ArrayList<>();
    try (Connection connection = database.connect()) {
      claimer.warmUp(connection);
      ready.countDown();
      go.await();
      while (done.get() < jobs) {
        long begun = System.nanoTime();
        int got = claimer.step(connection);
        if (got > 0) {
          took.add((System.nanoTime() - begun) / 1e6);
          done.addAndGet(got);
        }
      }
    } catch (SQLException failed) {
      done.set(jobs); // what it had in hand nobody does: end the race
      throw failed;
    } finally {
      ready.countDown(); // also where there is no connection, so that nobody waits for it
    }
    synchronized (millis) {
      took.forEach(each -> millis.add(each, 1));
    }
    return done.get();
  }
}
