package dev.ingest.queue;

import dev.ingest.plan.Backoff;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs jobs in the transactions that hold them. Each thread has a transaction of its own: hold a
 * batch, do the work, complete it, commit. When a job goes wrong the batch is rolled back, that is
 * recorded, and the others of the batch are done again, for a while one at a time. What goes wrong
 * only at the end (a deferred constraint, an error that a handler hid) is blamed on a job once it
 * is alone in its transaction. What speaks of the server counts once {@link Suspects} say so; until
 * then the job goes behind the others as it was.
 */
final class ShortLoop implements WorkLoop {
  /** Between jobs that meet what may be an outage, while the server takes what we write of them. */
  private static final Backoff FAULT_PAUSE =
      new Backoff(Duration.ofMillis(20), Duration.ofMillis(500));

  private static final int MOST_OWED = 1000;

  private final Site site;
  private final String queue;
  private final HandlerSettings settings;
  private final TransactionHandler handler;
  private final Suspects suspects = new Suspects();

  /** What counts and could not be recorded while the row was locked, by job; for who gets it. */
  private final Map<Long, Culprit> owed = new ConcurrentHashMap<>();

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

  /**
   * A job and what its handler threw, or what its completion met.
   *
   * @param passing whether the completion met what may be over at the next try
   */
  private record Culprit(Job job, Throwable thrown, boolean passing) {
    Optional<SQLException> fault(boolean connectionLost) {
      return passing && thrown instanceof SQLException met
          ? Optional.of(met)
          : ServerFault.in(thrown, connectionLost);
    }
  }

  /** What became of a transaction: a culprit where it was rolled back for one. */
  private record Tried(int held, @Nullable Culprit culprit, boolean connectionLost) {}

  private final class Worker {
    private final SplittableRandom random = new SplittableRandom();
    private int oneByOne;
    private int faults;

    void run() {
      int failures = 0;
      while (!stopping) {
        long heard = bell.rings();
        Duration pause;
        try {
          pause = batch();
          failures = 0;
        } catch (SQLException | RuntimeException | Error failed) {
          oneByOne = settings.batch(); // several at once may be more than there is memory
          pause = PAUSE.delay(++failures, random);
          site.events().databaseFailed("jobs of queue " + queue, WorkLoop.told(failed), pause);
        }
        await(heard, pause);
      }
    }

    private void await(long heard, Duration pause) {
      try {
        bell.await(heard, pause);
      } catch (InterruptedException left) {
        // by us when stopping, which is looked at next; else by a handler: the others go on
      }
    }

    private Duration batch() throws SQLException {
      int limit = oneByOne > 0 ? 1 : settings.batch();
      Tried tried = site.transact(settings.lease(), connection -> attempt(connection, limit));
      if (tried.culprit() != null) {
        return judge(tried.culprit(), tried.connectionLost());
      }
      return tried.held() < limit ? settings.poll() : Duration.ZERO;
    }

    private Tried attempt(Connection connection, int limit) throws SQLException {
      List<Job> jobs = site.queue().hold(connection, queue, limit);
      if (settle(connection, jobs)) {
        return new Tried(limit, null, false); // the others are held anew, at once
      }
      Culprit culprit = work(connection, jobs);
      if (culprit == null) {
        return finish(connection, jobs);
      }
      return undone(connection, jobs, culprit);
    }

    /** Records what is owed of one of the jobs, and lets go of all. */
    private boolean settle(Connection connection, List<Job> jobs) throws SQLException {
      for (Job job : jobs) {
        Culprit late = owed.remove(job.id());
        if (late != null) {
          record(connection, late);
          return true;
        }
      }
      return false;
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
          return new Culprit(job, thrown, false);
        } finally {
          site.events().handled(job, Duration.ofNanos(System.nanoTime() - begun));
        }
      }
      return null;
    }

    private Tried finish(Connection connection, List<Job> jobs) throws SQLException {
      try {
        site.queue().complete(connection, jobs);
        connection.commit();
      } catch (SQLException refused) {
        if (jobs.size() == 1) {
          boolean passing = ServerFault.isPassing(refused);
          return undone(connection, jobs, new Culprit(jobs.get(0), refused, passing));
        }
        Tried undone = undone(connection, jobs, null);
        if (jobs.isEmpty() || ServerFault.in(refused, undone.connectionLost()).isPresent()) {
          throw refused;
        }
        return undone;
      }
      oneByOne = Math.max(0, oneByOne - 1);
      if (!jobs.isEmpty()) {
        faults = 0;
        suspects.passed(jobs);
        jobs.forEach(job -> owed.remove(job.id()));
        site.events().completed(queue, jobs.size());
      }
      return new Tried(jobs.size(), null, false);
    }

    private Tried undone(Connection connection, List<Job> jobs, @Nullable Culprit culprit) {
      oneByOne = settings.batch();
      return new Tried(jobs.size(), culprit, !Site.undo(connection));
    }

    /**
     * In a transaction of its own, on another connection where that one is lost. If somebody else
     * has taken the job meanwhile, it is theirs.
     *
     * @return how long to leave the server alone
     */
    private Duration judge(Culprit culprit, boolean connectionLost) throws SQLException {
      Optional<SQLException> fault = culprit.fault(connectionLost);
      if (fault.isEmpty()) {
        count(culprit);
        return Duration.ZERO;
      }
      try {
        long job = culprit.job().id();
        int tries = culprit.passing() ? suspects.refusedInPassing(job) : suspects.refused(job);
        if (tries == 0) {
          count(culprit);
          return Duration.ZERO;
        }
        putBehind(culprit, PAUSE.delay(tries, random));
      } catch (SQLException | RuntimeException noWrites) {
        suspects.clear(culprit.job().id());
        throw noWrites;
      }
      Duration pause = FAULT_PAUSE.delay(++faults, random);
      site.events().databaseFailed("jobs of queue " + queue, fault.get(), pause);
      return pause;
    }

    private void count(Culprit culprit) throws SQLException {
      boolean done =
          site.transactUnlessLocked(settings.lease(), connection -> record(connection, culprit));
      if (!done && owed.size() < MOST_OWED) {
        owed.put(culprit.job().id(), culprit);
      }
    }

    private boolean record(Connection connection, Culprit culprit) throws SQLException {
      Failure failure = Failure.of(culprit.job(), culprit.thrown(), settings.retry());
      boolean recorded = site.queue().fail(connection, List.of(failure)).size() == 1;
      connection.commit();
      if (recorded) {
        if (failure.verdict() instanceof Verdict.GiveUp) {
          suspects.clear(culprit.job().id());
        }
        site.events().failed(culprit.job(), failure.verdict(), culprit.thrown());
      }
      return recorded;
    }

    /** Where its row is locked it stays where it is, and all pass it over. */
    private void putBehind(Culprit culprit, Duration delay) throws SQLException {
      Failure failure = Failure.of(culprit.job(), culprit.thrown(), settings.retry());
      site.transactUnlessLocked(
          settings.lease(),
          connection -> {
            Set<Long> put = site.queue().putBehind(connection, failure, delay);
            connection.commit();
            return put;
          });
    }
  }
}
