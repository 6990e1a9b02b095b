package dev.ingest.mapping;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What has to be known of a column's type so that no value is altered on the way into it.
 * Immutable.
 *
 * @param kind a domain counts as what it is based on
 * @param limit characters of a varchar or char, digits after the point of a numeric or of a time's
 *     seconds; {@link #NONE} where the type sets none
 * @param element of an array, null otherwise
 */
public record ColumnType(Kind kind, int limit, @Nullable ColumnType element) {
  public static final int NONE = Integer.MIN_VALUE;

  /** Types that are treated alike. */
  public enum Kind {
    TEXT,
    /** Text padded with spaces. */
    CHAR,
    JSON,
    INTEGER,
    NUMERIC,
    REAL,
    DOUBLE,
    TIMESTAMPTZ,
    TIMESTAMP,
    DATE,
    TIME,
    TIMETZ,
    INTERVAL,
    BYTES,
    ARRAY,
    UUID,
    /** Its input function alone decides: boolean, inet, enums, ranges and all others. */
    OTHER
  }

  public ColumnType {
    Objects.requireNonNull(kind, "kind");
    if ((kind == Kind.ARRAY) != (element != null)) {
      throw new IllegalArgumentException("An array, and only an array, has an element type.");
    }
  }

  public static ColumnType of(Kind kind) {
    return new ColumnType(kind, NONE, null);
  }

  public static ColumnType of(Kind kind, int limit) {
    return new ColumnType(kind, limit, null);
  }

  public static ColumnType arrayOf(ColumnType element) {
    return new ColumnType(Kind.ARRAY, NONE, element);
  }

  boolean hasLimit() {
    return limit != NONE;
  }
}
