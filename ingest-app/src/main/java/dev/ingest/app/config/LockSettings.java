package dev.ingest.app.config;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * Which advisory locks are taken. Immutable.
 *
 * @param stripes how many locks all keys share; matters with {@link Mode#STRIPE}
 * @param budget locks in one transaction at most; empty for "below the server's limit"
 * @param timeout {@code lock_timeout} of our sessions
 * @param namespace first number of the two-integer form; empty for the one-argument form
 */
public record LockSettings(
    Mode mode, int stripes, OptionalInt budget, Duration timeout, OptionalInt namespace) {

  /** What one lock stands for. */
  public enum Mode {
    /** One business key (or the few whose hashes are equal). */
    KEY,
    /** All keys of a stripe. */
    STRIPE,
    /** Nothing: the unique index alone decides. */
    NONE
  }
}
