package dev.ingest.mapping;

import dev.ingest.mapping.Fields.State;
import java.math.BigDecimal;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Numbers, digit by digit: never through a double, and refused where the column would round. */
final class NumberText {
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
        number -> new Survival(BigDecimal::doubleValue, Math::nextAfter, 15, 17, 53).of(number));
  }

  static TextRule real(boolean lossy) {
    return floating(
        lossy,
        "real",
        number ->
            new Survival(
                    each -> (double) each.floatValue(),
                    (value, towards) -> Math.nextAfter((float) value, towards),
                    6,
                    9,
                    24)
                .of(number));
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

  /** Null for NaN, Infinity, and what the server refuses. It takes {@code 1_000} since 16. */
  private static @Nullable BigDecimal number(String text) {
    try {
      return new BigDecimal(text.strip().replace("_", ""));
    } catch (NumberFormatException other) {
      return null;
    }
  }
}
