package dev.ingest.queue;

import java.time.Duration;
import java.util.Arrays;

/**
 * Where in the order of waiting jobs a claim begins to look, so that it does not step over the dead
 * entries of jobs claimed before: those stay in the index for as long as any session holds an old
 * snapshot (ADR 0010). Pure, safe from any thread.
 *
 * <p>New entries are placed at the right end: nothing waits with a {@code run_at} before its
 * insert. So a claim may begin where claims were a moment ago, and finds all that became visible
 * within that moment. What became visible later (an enqueuing transaction that stayed open, a claim
 * that was rolled back) lies further left. For it some claims look back further, in steps from
 * {@link #FIRST_REACH} to the very beginning, each step for at most one part in {@link #SHARE} of
 * the time.
 */
final class ClaimStart {
  static final long BEGINNING = 0;
  private static final long FIRST_REACH = Duration.ofMillis(50).toNanos();
  private static final int GROWTH = 4;
  private static final int STEPS = 8;
  private static final int SHARE = 50;
  private static final long LONGEST_PAUSE = Duration.ofMinutes(1).toNanos();

  private final Step[] steps = new Step[STEPS];
  private long[] front = new long[Priority.COUNT];

  ClaimStart(long now) {
    long reach = FIRST_REACH;
    for (int depth = 0; depth < STEPS; depth++) {
      steps[depth] = new Step(reach, now);
      reach *= GROWTH;
    }
  }

  /** One claim's beginning: microseconds since 1970 for each priority, inclusive. */
  static final class Since {
    private final int depth;
    private final long[] micros;

    private Since(int depth, long[] micros) {
      this.depth = depth;
      this.micros = micros;
    }

    long[] micros() {
      return micros.clone();
    }

    boolean isBeginning() {
      return depth == STEPS - 1;
    }
  }

  /** What a claim saw. Times are microseconds since 1970 by the server's clock. */
  sealed interface Seen {
    /** It took all that was due by then. */
    record Everything(long micros) implements Seen {}

    /** It took as many as it wanted, the last one with this priority and {@code run_at}. */
    record Until(long micros, Priority priority, long runAt) implements Seen {}
  }

  /**
   * @param now of a clock in nanoseconds that never goes back
   */
  synchronized Since next(long now) {
    int depth = 0;
    for (int i = 0; i < STEPS; i++) {
      steps[i].age(now, front);
      depth = steps[i].isDue(now) ? i : depth;
    }
    steps[depth].notBefore = now + LONGEST_PAUSE;
    long[] from = depth == STEPS - 1 ? new long[Priority.COUNT] : steps[depth].older.clone();
    return new Since(depth, from);
  }

  /**
   * @param took nanoseconds of the claim that began at {@code since}
   */
  synchronized void done(Since since, Seen seen, long now, long took) {
    steps[since.depth].notBefore = now + Math.min(SHARE * took, LONGEST_PAUSE);
    long[] reached = front.clone();
    if (seen instanceof Seen.Everything everything) {
      Arrays.fill(reached, everything.micros());
    } else if (seen instanceof Seen.Until until) {
      Arrays.fill(reached, 0, until.priority().code(), until.micros());
      reached[until.priority().code()] = until.runAt();
    }
    front = reached;
    for (Step step : steps) {
      step.atMost(front);
    }
  }

  /** A reach into the past, and where claims were that long ago. */
  private static final class Step {
    private final long reach;
    private long[] older = new long[Priority.COUNT];
    private long[] newer = new long[Priority.COUNT];
    private long newerSince;
    private long notBefore;

    Step(long reach, long now) {
      this.reach = reach;
      this.newerSince = now;
      this.notBefore = now;
    }

    boolean isDue(long now) {
      return now - notBefore >= 0;
    }

    void age(long now, long[] front) {
      if (now - newerSince >= reach) {
        older = newer;
        newer = front;
        newerSince = now;
      }
    }

    /** The front fell back behind what was thought to be taken. */
    void atMost(long[] front) {
      older = lower(older, front);
      newer = lower(newer, front);
    }

    private static long[] lower(long[] one, long[] other) {
      long[] lower = one.clone();
      for (int i = 0; i < lower.length; i++) {
        lower[i] = Math.min(one[i], other[i]);
      }
      return lower;
    }
  }
}
