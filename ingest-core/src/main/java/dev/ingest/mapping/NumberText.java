package dev.ingest.mapping;

import dev.ingest.mapping.Fields.State;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Numbers, digit by digit: never through a double, and refused where the column would round. */
final class NumberText {
  /** Decimal digits that any double keeps, and those that tell every double from the next. */
  private static final int DOUBLE_KEEPS = 15;

  private static final int DOUBLE_NEEDS = 17;
  private static final int REAL_KEEPS = 6;
  private static final int REAL_NEEDS = 9;

  /** More digits than any bigint has. */
  private static final int BIGINT_DIGITS = 19;

  private NumberText() {}

  /** {@code 1.0} and {@code 1e3} are integers in JSON, though not for the server. */
  static String integer(State state, String text) {
    if (state != State.NUMBER || isDigits(text)) {
      return text;
    }
    BigDecimal number = new BigDecimal(text);
    if (number.signum() == 0) {
      return "0";
    }
    if ((long) number.precision() - number.scale() > BIGINT_DIGITS) {
      throw new UnfitValueException("22003", "number is out of the column's range");
    }
    if (number.stripTrailingZeros().scale() > 0) {
      throw new UnfitValueException("22P02", "number is no integer");
    }
    return number.toBigIntegerExact().toString();
  }

  private static boolean isDigits(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if ((c < '0' || c > '9') && c != '-') {
        return false;
      }
    }
    return true;
  }

  /** A numeric with a declared scale rounds silently: what has more digits is refused. */
  static TextRule numeric(ColumnType type, boolean lossy) {
    if (lossy || !type.hasLimit()) {
      return (state, text) -> text;
    }
    int scale = type.limit();
    return (state, text) -> {
      BigDecimal number = number(text);
      if (number != null && number.scale() > scale && number.stripTrailingZeros().scale() > scale) {
        throw new UnfitValueException(
            "22003", "number has more than the column's " + scale + " digits after the point");
      }
      return text;
    };
  }

  static TextRule doublePrecision(boolean lossy) {
    return floating(
        lossy,
        "double precision",
        number -> survives(number, DOUBLE_KEEPS, DOUBLE_NEEDS, BigDecimal::doubleValue));
  }

  static TextRule real(boolean lossy) {
    return floating(
        lossy,
        "real",
        number -> survives(number, REAL_KEEPS, REAL_NEEDS, each -> (double) each.floatValue()));
  }

  private static TextRule floating(boolean lossy, String type, Predicate<BigDecimal> survives) {
    return (state, text) -> {
      BigDecimal number = lossy ? null : number(text);
      if (number == null || survives.test(number)) {
        return text;
      }
      throw new UnfitValueException(
          "22003",
          "number has more digits than "
              + type
              + " keeps; use numeric, or declare the column lossy");
    };
  }

  private interface Binary {
    double of(BigDecimal number);
  }

  /**
   * Whether the server would show the number as it came: it shows the shortest digits that give the
   * same binary value. What is out of range is left to the server, which refuses it.
   */
  private static boolean survives(BigDecimal number, int keeps, int needs, Binary binary) {
    BigDecimal digits = number.stripTrailingZeros();
    double value = binary.of(digits);
    if (Double.isInfinite(value) || value == 0) {
      return true;
    }
    boolean subnormal =
        Math.abs(value) < Float.MIN_NORMAL; // also of doubles, to be on the safe side
    if (digits.precision() <= keeps && !subnormal) {
      return true;
    }
    if (digits.precision() > needs) {
      return false;
    }
    BigDecimal exact = new BigDecimal(value);
    for (int length = 1; length <= needs; length++) {
      BigDecimal shortened = exact.round(new MathContext(length, RoundingMode.HALF_EVEN));
      if (binary.of(shortened) == value) {
        return shortened.compareTo(digits) == 0;
      }
    }
    return false;
  }

  /** Null for NaN, Infinity, and what the server refuses. It takes {@code 1_000} since 16. */
  private static @Nullable BigDecimal number(String text) {
    try {
      return new BigDecimal(text.strip().replace("_", ""));
    } catch (NumberFormatException other) {
      return null;
    }
  }
}
