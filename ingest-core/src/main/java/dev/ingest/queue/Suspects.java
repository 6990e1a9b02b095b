package dev.ingest.queue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Jobs whose work failed by a state that speaks of the server (disk full, read-only, no privilege),
 * and whether that counts against them: a trigger or function may raise any state, and an outage
 * must not use up the attempts of all jobs. What happens to the others decides. Does no I/O;
 * thread-safe.
 */
final class Suspects {
  /** Tries before it counts where there is no other job to compare with. */
  static final int ALONE = 5;

  /** The same where others fail so too: most likely the server, but nothing goes on for ever. */
  static final int AMONG_OTHERS = 100;

  /** Jobs in mind, some 10 MB; each further one is counted at once, or none would ever be. */
  static final int REMEMBERED = 100_000;

  private final Map<Long, Suspect> suspects = new LinkedHashMap<>();
  private long passed;
  private long refused;

  /** A job, how often it failed so without being counted, and what there was before. */
  private record Suspect(int tries, long passed, long refused) {}

  /** Jobs went through: the server is not to blame for those that failed before and fail again. */
  synchronized void passed(List<Job> jobs) {
    passed++;
    jobs.forEach(job -> suspects.remove(job.id()));
  }

  /**
   * A job failed so.
   *
   * @return how often in a row without being counted, from 1; 0 where it counts this time
   */
  synchronized int refused(long job) {
    return refused(job, true);
  }

  /**
   * A job met at its commit what may be over at the next try, as a deadlock is. That others go
   * through says nothing against it.
   *
   * @return as {@link #refused(long)}
   */
  synchronized int refusedInPassing(long job) {
    return refused(job, false);
  }

  private int refused(long job, boolean othersTell) {
    Suspect before = suspects.remove(job);
    Suspect now =
        before == null
            ? new Suspect(1, passed, refused)
            : new Suspect(before.tries + 1, before.passed, before.refused);
    refused++;
    boolean told = othersTell && passed > now.passed;
    boolean counts = forgetEldestOfTooMany() || told || now.tries >= limit(now);
    suspects.put(job, counts ? new Suspect(0, passed, refused) : now);
    return counts ? 0 : now.tries;
  }

  private int limit(Suspect suspect) {
    long byOthers = refused - suspect.refused - suspect.tries;
    return byOthers > 0 ? AMONG_OTHERS : ALONE;
  }

  private boolean forgetEldestOfTooMany() {
    if (suspects.size() < REMEMBERED) {
      return false;
    }
    suspects.remove(suspects.keySet().iterator().next());
    return true;
  }

  /** The job is over, or the server did not even take our own write: nothing can be said of it. */
  synchronized void clear(long job) {
    suspects.remove(job);
  }
}
