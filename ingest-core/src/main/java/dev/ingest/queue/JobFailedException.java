package dev.ingest.queue;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler that knows better than the retry policy when its job may be tried again, if
 * at all. Its message is kept in the job's row and may come into logs, so it holds nothing of the
 * payload.
 */
public final class JobFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final @Nullable Duration delay;

  private JobFailedException(String message, @Nullable Duration delay) {
    super(Objects.requireNonNull(message, "message"));
    this.delay = delay;
  }

  /** No try mends it: the job stays as failed for a person, however many attempts are left. */
  public static JobFailedException forGood(String message) {
    return new JobFailedException(message, null);
  }

  /**
   * Try again, unless that was the last attempt, after the delay of the policy and not before this
   * one.
   */
  public static JobFailedException retryAfter(String message, Duration delay) {
    return new JobFailedException(message, Objects.requireNonNull(delay, "delay"));
  }

  Verdict verdict(Verdict ofPolicy) {
    if (delay == null) {
      return new Verdict.GiveUp();
    }
    boolean later = ofPolicy instanceof Verdict.Again again && again.delay().compareTo(delay) < 0;
    return later ? new Verdict.Again(delay) : ofPolicy;
  }
}
