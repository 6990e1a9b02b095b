package dev.ingest.queue;

import dev.ingest.plan.FaultKind;
import dev.ingest.plan.SqlStatePolicy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs jobs in the transactions that hold them. Each thread has a transaction of its own: hold a
 * batch, do the work, complete it, commit. When a job goes wrong the batch is rolled back, that is
 * recorded, and the others of the batch are done again, for a while one at a time. What goes wrong
 * only at the end (a deferred constraint, an error that a handler hid) is blamed on a job once it
 * is alone in its transaction.
 */
final class ShortLoop implements WorkLoop {
  /** An error that a handler caught and did not tell still holds the transaction. */
  private static final String ABORTED = "25P02";

  private final Site site;
  private final String queue;
  private final HandlerSettings settings;
  private final TransactionHandler handler;
  private final Bell bell = new Bell();
  private final List<Thread> threads;
  private volatile boolean stopping;

  ShortLoop(Site site, String queue, HandlerSettings settings, TransactionHandler handler) {
    this.site = site;
    this.queue = queue;
    this.settings = settings;
    this.handler = handler;
    this.threads =
        IntStream.rangeClosed(1, settings.threads())
            .mapToObj(number -> new Thread(new Worker()::run, queue + "-" + number))
            .toList();
  }

  @Override
  public void start() {
    threads.forEach(Thread::start);
  }

  @Override
  public void wake() {
    bell.ring();
  }

  @Override
  public void stop() {
    stopping = true;
    bell.ring();
  }

  @Override
  public boolean awaitEnd(long deadline) throws InterruptedException {
    boolean ended = true;
    for (Thread thread : threads) {
      TimeUnit.NANOSECONDS.timedJoin(thread, deadline - System.nanoTime());
      if (thread.isAlive()) {
        thread.interrupt();
        ended = false;
      }
    }
    return ended;
  }

  /** A job and what its handler threw. */
  private record Culprit(Job job, Throwable thrown) {}

  private final class Worker {
    private final SplittableRandom random = new SplittableRandom();
    private int oneByOne;

    void run() {
      int failures = 0;
      try {
        while (!stopping) {
          long heard = bell.rings();
          Duration pause;
          try {
            pause = batch();
            failures = 0;
          } catch (SQLException | RuntimeException failed) {
            pause = PAUSE.delay(++failures, random);
            site.events().databaseFailed("jobs of queue " + queue, failed, pause);
          }
          bell.await(heard, pause);
        }
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }

    private Duration batch() throws SQLException {
      int limit = oneByOne > 0 ? 1 : settings.batch();
      int held = site.transact(settings.lease(), connection -> batch(connection, limit));
      return held < limit ? settings.poll() : Duration.ZERO;
    }

    private int batch(Connection connection, int limit) throws SQLException {
      List<Job> jobs = site.queue().hold(connection, queue, limit);
      Culprit culprit = work(connection, jobs);
      if (culprit == null) {
        finish(connection, jobs);
      } else {
        undo(connection, List.of(culprit));
      }
      return jobs.size();
    }

    private @Nullable Culprit work(Connection connection, List<Job> jobs) {
      if (!jobs.isEmpty()) {
        site.events().claimed(queue, jobs.size());
      }
      for (Job job : jobs) {
        long begun = System.nanoTime();
        try {
          handler.handle(connection, job);
        } catch (Throwable thrown) { // an Error too is the job's, and must not end the thread
          return new Culprit(job, thrown);
        } finally {
          site.events().handled(job, Duration.ofNanos(System.nanoTime() - begun));
        }
      }
      return null;
    }

    private void finish(Connection connection, List<Job> jobs) throws SQLException {
      try {
        site.queue().complete(connection, jobs);
        connection.commit();
      } catch (SQLException refused) {
        if (!isOfTheWork(refused)) {
          throw refused;
        }
        boolean alone = jobs.size() == 1;
        undo(connection, alone ? List.of(new Culprit(jobs.get(0), refused)) : List.of());
        return;
      }
      oneByOne = Math.max(0, oneByOne - 1);
      if (!jobs.isEmpty()) {
        site.events().completed(queue, jobs.size());
      }
    }

    /** What a trigger of the user raises by a state of its own is in no table of ours. */
    private static boolean isOfTheWork(SQLException refused) {
      String state = refused.getSQLState();
      FaultKind kind = SqlStatePolicy.of(state);
      return ABORTED.equals(state) || kind == FaultKind.BAD_EVENT || kind == FaultKind.PROGRAM;
    }

    private void undo(Connection connection, List<Culprit> culprits) throws SQLException {
      oneByOne = settings.batch();
      connection.rollback();
      for (Culprit culprit : culprits) {
        record(connection, culprit);
      }
    }

    /** In a transaction of its own. If somebody else has taken the job meanwhile, it is theirs. */
    private void record(Connection connection, Culprit culprit) throws SQLException {
      Failure failure = Failure.of(culprit.job(), culprit.thrown(), settings.retry());
      boolean recorded = !site.queue().fail(connection, List.of(failure)).isEmpty();
      connection.commit();
      if (recorded) {
        site.events().failed(culprit.job(), failure.verdict(), culprit.thrown());
      }
    }
  }
}
