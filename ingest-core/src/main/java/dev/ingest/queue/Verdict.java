package dev.ingest.queue;

import java.time.Duration;

/** What becomes of a job that failed. */
public sealed interface Verdict {
  /**
   * It waits behind the others and is tried again after {@code delay}: above zero, and cut to ten
   * years, since the server's calendar ends.
   */
  record Again(Duration delay) implements Verdict {
    private static final Duration LONGEST = Duration.ofDays(3650);

    public Again {
      if (delay.isNegative() || delay.isZero()) {
        throw new IllegalArgumentException("delay=" + delay + " is not above zero");
      }
      delay = delay.compareTo(LONGEST) < 0 ? delay : LONGEST;
    }
  }

  /** It stays in the table as failed until a person retries, cancels or purges it. */
  record GiveUp() implements Verdict {}
}
