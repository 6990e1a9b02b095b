package dev.ingest.queue;

import java.time.Duration;

/** What becomes of a job that failed. */
public sealed interface Verdict {
  /** It waits behind the others and is tried again after {@code delay}, above zero. */
  record Again(Duration delay) implements Verdict {
    public Again {
      if (delay.isNegative() || delay.isZero()) {
        throw new IllegalArgumentException("delay=" + delay + " is not above zero");
      }
    }
  }

  /** It stays in the table as failed until a person retries, cancels or purges it. */
  record GiveUp() implements Verdict {}
}
