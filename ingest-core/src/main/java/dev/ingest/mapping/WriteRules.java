package dev.ingest.mapping;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is done beside filling columns when rows are written to a target. Immutable.
 *
 * @param locked whether every writer takes the advisory lock of a key before it writes it; only
 *     then may a table do without a unique index on the key
 * @param window how far apart, inclusive and to both sides, the event times of two events of a key
 *     may be for the second to be a duplicate; null: however far
 * @param prefilter whether keys that are there are looked for before the insert meets them
 * @param missingPartition what becomes of a row that no partition takes
 * @param tombstone what becomes of a record without a value
 */
public record WriteRules(
    boolean locked,
    @Nullable Duration window,
    Prefilter prefilter,
    MissingPartition missingPartition,
    TombstoneRule tombstone) {

  public static final WriteRules DEFAULT =
      new WriteRules(true, null, Prefilter.AUTO, MissingPartition.PARK);

  /** Whether keys that are there are looked for before the insert meets them. */
  public enum Prefilter {
    /**
     * Under locks, where that is cheaper than a conflict; and where a column takes its value from a
     * sequence, which each conflict would advance.
     */
    AUTO,
    ON,
    OFF
  }

  /** What becomes of a row that no partition takes. */
  public enum MissingPartition {
    /** Its event is treated as one that can't be stored. */
    PARK,
    /** Writing pauses until the partition is there. */
    PAUSE
  }

  public WriteRules {
    Objects.requireNonNull(prefilter, "prefilter");
    Objects.requireNonNull(missingPartition, "missingPartition");
    Objects.requireNonNull(tombstone, "tombstone");
    if (window != null && (window.isNegative() || window.isZero())) {
      throw new IllegalArgumentException("window=" + window + " is not above zero");
    }
  }

  /** Records without a value are events like any other. */
  public WriteRules(
      boolean locked,
      @Nullable Duration window,
      Prefilter prefilter,
      MissingPartition missingPartition) {
    this(locked, window, prefilter, missingPartition, TombstoneRule.STORE);
  }

  /** The same with another rule for records without a value. */
  public WriteRules with(TombstoneRule other) {
    return new WriteRules(locked, window, prefilter, missingPartition, other);
  }
}
