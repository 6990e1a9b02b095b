package dev.ingest.queue;

import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A claimed job whose work went wrong.
 *
 * @param error kept in the job's row, cut to {@value #MAX_ERROR} characters; may hold what the
 *     payload holds, so it is for the table, not for logs
 */
public record Failure(Job job, String error, Verdict verdict) {
  static final int MAX_ERROR = 1000;

  public Failure {
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(verdict, "verdict");
    error = cut(error).replace('\0', '\uFFFD');
  }

  /** What a handler threw, judged by the policy unless the handler knows better. */
  static Failure of(Job job, Throwable thrown, RetryPolicy policy) {
    Verdict verdict = policy.after(job.attempt(), job.maxAttempts(), ThreadLocalRandom.current());
    return thrown instanceof JobFailedException decided
        ? new Failure(job, String.valueOf(decided.getMessage()), decided.verdict(verdict))
        : new Failure(job, text(thrown), verdict);
  }

  private static String text(Throwable thrown) {
    try {
      return String.valueOf(thrown);
    } catch (Throwable nested) { // whatever it does, its job must not stay in our hand
      return thrown.getClass().getName();
    }
  }

  private static String cut(String error) {
    return error.length() <= MAX_ERROR ? error : error.substring(0, MAX_ERROR);
  }
}
