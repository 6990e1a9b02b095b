package dev.ingest.queue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of one queue that this process has claimed, from the claim to the recorded outcome. Does
 * no I/O. Thread-safe. Times are of a clock in nanoseconds that never goes back.
 */
final class JobsInHand {
  /** Where a job is in its time with us. */
  private enum Stage {
    /** The reply to the claim's commit was lost. */
    UNCONFIRMED,
    WAITING,
    RUNNING,
    DONE,
    FAILED
  }

  /** A job and what is known of it; guarded by the outer object. */
  static final class Held {
    private final Job job;
    private Stage stage;
    private long leaseEnd;
    private @Nullable Throwable cause;
    private @Nullable Failure failure;
    private boolean outcomeSent;

    private Held(Job job, Stage stage, long leaseEnd) {
      this.job = job;
      this.stage = stage;
      this.leaseEnd = leaseEnd;
    }

    Job job() {
      return job;
    }

    Failure failure() {
      if (failure == null) {
        throw new IllegalStateException(job + " did not fail");
      }
      return failure;
    }

    Throwable cause() {
      if (cause == null) {
        throw new IllegalStateException(job + " did not fail");
      }
      return cause;
    }

    /** Whether a commit of the outcome was tried before, with unknown result. */
    boolean outcomeSent() {
      return outcomeSent;
    }

    private boolean isOver() {
      return stage == Stage.DONE || stage == Stage.FAILED;
    }
  }

  /** What a transaction has to tell the database. */
  record Due(List<Held> done, List<Held> failed, List<Held> untried, List<Held> unconfirmed) {
    boolean isEmpty() {
      return done.isEmpty() && failed.isEmpty() && untried.isEmpty() && unconfirmed.isEmpty();
    }

    int outcomes() {
      return done.size() + failed.size();
    }
  }

  private final Map<Long, Held> jobs = new LinkedHashMap<>();
  private final int quorum;
  private int outcomes;
  private boolean stopped;

  /**
   * @param quorum so many outcomes are worth a transaction
   */
  JobsInHand(int quorum) {
    this.quorum = quorum;
  }

  synchronized int size() {
    return jobs.size();
  }

  /** Jobs that no thread has taken up. */
  synchronized int waiting() {
    return (int) jobs.values().stream().filter(held -> held.stage == Stage.WAITING).count();
  }

  synchronized List<Held> claimed(List<Job> claimed, long leaseEnd) {
    return add(claimed, Stage.WAITING, leaseEnd);
  }

  /** The reply to the claim's commit was lost: ask before they are run. */
  synchronized void claimedPerhaps(List<Job> claimed, long leaseEnd) {
    add(claimed, Stage.UNCONFIRMED, leaseEnd);
  }

  private List<Held> add(List<Job> claimed, Stage stage, long leaseEnd) {
    List<Held> added = claimed.stream().map(job -> new Held(job, stage, leaseEnd)).toList();
    added.forEach(this::put);
    return added;
  }

  /** In the place of what we held of the same job before its lease was lost. */
  private void put(Held held) {
    Held lost = jobs.put(held.job.id(), held);
    if (lost != null && lost.isOver()) {
      outcomes--;
    }
  }

  private boolean remove(Held held) {
    boolean removed = jobs.remove(held.job.id(), held);
    if (removed && held.isOver()) {
      outcomes--;
    }
    return removed;
  }

  /**
   * Whether the handler may start: not after the lease has run out, for somebody else may be at it.
   */
  synchronized boolean begin(Held held, long now) {
    if (stopped || held.stage != Stage.WAITING || !isOurs(held)) {
      return false;
    }
    if (held.leaseEnd - now <= 0) {
      jobs.remove(held.job.id());
      return false;
    }
    held.stage = Stage.RUNNING;
    return true;
  }

  /**
   * The handler returned.
   *
   * @return whether that makes a difference to who records outcomes
   */
  synchronized boolean done(Held held) {
    return over(held, Stage.DONE);
  }

  /** The handler threw; else as {@link #done}. */
  synchronized boolean failed(Held held, Throwable cause, Failure failure) {
    held.cause = cause;
    held.failure = failure;
    return over(held, Stage.FAILED);
  }

  private boolean over(Held held, Stage outcome) {
    held.stage = outcome;
    return isOurs(held) && isNews(++outcomes);
  }

  /** Not where its lease was lost meanwhile, even if we claimed the job again. */
  private boolean isOurs(Held held) {
    return jobs.get(held.job.id()) == held;
  }

  private boolean isNews(int gathered) {
    return gathered == 1 || gathered == quorum || gathered == jobs.size();
  }

  /** From now on no job is begun; those that were not are given back. */
  synchronized void stop() {
    stopped = true;
  }

  synchronized Due due() {
    return new Due(
        in(Stage.DONE),
        in(Stage.FAILED),
        stopped ? in(Stage.WAITING) : List.of(),
        in(Stage.UNCONFIRMED));
  }

  /** Jobs whose lease must be prolonged while they wait or run; not those that are given back. */
  synchronized List<Held> leased() {
    List<Held> leased = stopped ? new ArrayList<>() : in(Stage.WAITING);
    leased.addAll(in(Stage.RUNNING));
    return leased;
  }

  /**
   * The leases of {@code asked} were prolonged for those {@code kept}.
   *
   * @return how many are lost
   */
  synchronized int extended(List<Held> asked, Set<Long> kept, long leaseEnd) {
    int lost = 0;
    for (Held held : asked) {
      if (kept.contains(held.job.id())) {
        held.leaseEnd = leaseEnd;
      } else if (remove(held)) {
        lost++;
      }
    }
    return lost;
  }

  /**
   * The outcomes are committed and the unconfirmed claims asked for.
   *
   * @param kept ids of the unconfirmed ones that are ours
   * @return those, to be run
   */
  synchronized List<Held> recorded(Due due, Set<Long> kept, long leaseEnd) {
    due.done().forEach(this::remove);
    due.failed().forEach(this::remove);
    due.untried().forEach(this::remove);
    List<Held> confirmed = new ArrayList<>();
    for (Held held : due.unconfirmed()) {
      if (kept.contains(held.job.id())) {
        held.stage = Stage.WAITING;
        held.leaseEnd = leaseEnd;
        confirmed.add(held);
      } else {
        remove(held);
      }
    }
    return confirmed;
  }

  /**
   * The reply to the commit was lost. Outcomes are sent again, which does no harm. Jobs that were
   * given back are let go: whoever has them by now must not lose them.
   */
  synchronized void recordedPerhaps(Due due) {
    due.done().forEach(held -> held.outcomeSent = true);
    due.failed().forEach(held -> held.outcomeSent = true);
    due.untried().forEach(this::remove);
  }

  private List<Held> in(Stage stage) {
    List<Held> found = new ArrayList<>();
    for (Held held : jobs.values()) {
      if (held.stage == stage) {
        found.add(held);
      }
    }
    return found;
  }
}
