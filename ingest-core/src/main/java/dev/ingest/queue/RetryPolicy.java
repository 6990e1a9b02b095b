package dev.ingest.queue;

import dev.ingest.plan.Backoff;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * When a failed job is tried again: half of a growing delay is fixed, the other half random, so
 * that the delay does grow and jobs which failed together do not come back together. Immutable,
 * pure.
 *
 * @param backoff the longest delay after each failure
 */
public record RetryPolicy(Backoff backoff) {
  /** 2 s at most after the first failure, doubling up to an hour. */
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(new Backoff(Duration.ofSeconds(2), Duration.ofHours(1)));

  /**
   * @param attempt which try failed, from 1
   */
  public Verdict after(int attempt, int maxAttempts, RandomGenerator random) {
    if (attempt >= maxAttempts) {
      return new Verdict.GiveUp();
    }
    Duration half = backoff.longest(attempt).dividedBy(2);
    Duration chance = Duration.ofNanos(1 + random.nextLong(Math.max(1, half.toNanos())));
    return new Verdict.Again(half.plus(chance));
  }
}
