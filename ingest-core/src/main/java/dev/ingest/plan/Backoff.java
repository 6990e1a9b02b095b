package dev.ingest.plan;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Random growing delay before a retry: up to {@code base} before the second try, then up to twice
 * as long each time, never longer than {@code cap}. The whole delay is random, so that writers
 * which failed together do not come back together. Immutable, safe from any thread.
 *
 * @param base longest delay after the first failure, above zero
 * @param cap longest delay ever, at least {@code base} and at most 292 years
 */
public record Backoff(Duration base, Duration cap) {
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  public Backoff {
    if (base.isNegative() || base.isZero()) {
      throw new IllegalArgumentException("Backoff base=" + base + " is not above zero.");
    }
    if (cap.compareTo(base) < 0 || cap.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "Backoff cap=" + cap + " is outside " + base + ".." + LONGEST + ".");
    }
  }

  /**
   * A delay above zero and at most {@link #longest}, each equally likely.
   *
   * @param attempt how many tries have failed, from 1
   */
  public Duration delay(int attempt, RandomGenerator random) {
    return Duration.ofNanos(1 + random.nextLong(longest(attempt).toNanos()));
  }

  /** The longest delay after that many failed tries, from 1. */
  public Duration longest(int attempt) {
    if (attempt < 1) {
      throw new IllegalArgumentException("Backoff attempt=" + attempt + " is below 1.");
    }
    int doublings = Math.min(attempt - 1, Long.SIZE - 1);
    boolean reachesCap = base.toNanos() > cap.toNanos() >> doublings;
    return reachesCap ? cap : Duration.ofNanos(base.toNanos() << doublings);
  }
}
