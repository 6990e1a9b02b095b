package dev.ingest.queue;

import java.time.Duration;
import java.util.Objects;

/**
 * How the jobs of one queue are run in this process. Immutable.
 *
 * @param threads handlers at once, from 1
 * @param batch jobs claimed, and completed, at a time, from 1
 * @param lease how long others wait for a worker that is gone; at least 1 s, at most ten years.
 *     Leases of living workers are prolonged, however long the work takes.
 * @param poll how long an idle queue is left alone, at least 1 ms
 * @param retry when a failed job is tried again
 */
public record HandlerSettings(
    int threads, int batch, Duration lease, Duration poll, RetryPolicy retry) {
  private static final Duration LONGEST = Duration.ofDays(3650);

  /** One thread, 20 jobs at a time, leases of 10 minutes, polled twice a second. */
  public static final HandlerSettings DEFAULT =
      new HandlerSettings(
          1, 20, Duration.ofMinutes(10), Duration.ofMillis(500), RetryPolicy.DEFAULT);

  public HandlerSettings {
    Objects.requireNonNull(retry, "retry");
    if (threads < 1 || batch < 1) {
      throw new IllegalArgumentException(
          "threads=" + threads + " and batch=" + batch + " must be above 0");
    }
    if (lease.compareTo(Duration.ofSeconds(1)) < 0 || poll.toMillis() < 1) {
      throw new IllegalArgumentException(
          "lease=" + lease + " is below 1 s or poll=" + poll + " below 1 ms");
    }
    if (lease.compareTo(LONGEST) > 0 || poll.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "lease=" + lease + " or poll=" + poll + " is above ten years");
    }
  }

  public HandlerSettings threads(int changed) {
    return new HandlerSettings(changed, batch, lease, poll, retry);
  }

  public HandlerSettings batch(int changed) {
    return new HandlerSettings(threads, changed, lease, poll, retry);
  }

  public HandlerSettings lease(Duration changed) {
    return new HandlerSettings(threads, batch, changed, poll, retry);
  }

  public HandlerSettings poll(Duration changed) {
    return new HandlerSettings(threads, batch, lease, changed, retry);
  }

  public HandlerSettings retry(RetryPolicy changed) {
    return new HandlerSettings(threads, batch, lease, poll, changed);
  }
}
