package dev.ingest.app.bench.strategies;

import dev.ingest.app.bench.BenchFailure;
import dev.ingest.app.bench.Database;
import dev.ingest.app.bench.Percentiles;
import dev.ingest.event.Event;
import dev.ingest.event.IngestException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Several writers take the batches in turn until none is left or the time is over; a batch that was
 * begun is finished.
 */
final class Race {
  private final Database database;
  private final Strategy strategy;
  private final List<List<Event>> batches;
  private final long longestNanos;
  private final AtomicInteger next = new AtomicInteger();
  private final LongAdder retries = new LongAdder();
  private final Percentiles millis = new Percentiles();

  /**
   * @param batches that were written: the first ones of those given
   * @param millis that batches took, from the first try to the commit
   */
  record Outcome(List<List<Event>> batches, double seconds, long retries, Percentiles millis) {
    long events() {
      return batches.stream().mapToLong(List::size).sum();
    }
  }

  Race(Database database, Strategy strategy, List<List<Event>> batches, double seconds) {
    this.database = database;
    this.strategy = strategy;
    this.batches = batches;
    this.longestNanos = (long) (seconds * 1e9);
  }

  Outcome run(int writers) {
    List<BatchSession> sessions = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(writers);
    try {
      for (int i = 0; i < writers; i++) {
        sessions.add(strategy.sessions().open(database, retries));
      }
      long start = System.nanoTime();
      List<Future<?>> done = new ArrayList<>();
      sessions.forEach(each -> done.add(threads.submit(() -> write(each, start))));
      for (Future<?> each : done) {
        each.get();
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      int written = Math.min(next.get(), batches.size());
      return new Outcome(batches.subList(0, written), seconds, retries.sum(), millis);
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof IngestException ours
          ? ours
          : BenchFailure.of("contestant " + strategy.title(), failed);
    } catch (InterruptedException stopped) {
      throw BenchFailure.of("contestant " + strategy.title(), stopped);
    } finally {
      threads.shutdownNow();
      sessions.forEach(BatchSession::close);
    }
  }

  private void write(BatchSession session, long start) {
    while (System.nanoTime() - start < longestNanos) {
      int number = next.getAndIncrement();
      if (number >= batches.size()) {
        return;
      }
      long began = System.nanoTime();
      session.write(batches.get(number));
      double took = (System.nanoTime() - began) / 1e6;
      synchronized (millis) {
        millis.add(took, 1);
      }
    }
  }
}
