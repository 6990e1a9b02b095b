package dev.ingest.mapping;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.function.DoubleBinaryOperator;
import java.util.function.ToDoubleFunction;

/**
 * Whether a binary floating-point type would show a number as it came. The server shows the
 * shortest digits that lie nearer to the binary value than to any other; digits half way between
 * two, such as 1e23, it does not show again. Immutable.
 *
 * @param nearest the type's value for a number
 * @param next the type's next value towards another
 * @param keeps decimal digits that any value keeps, but for whole numbers beyond {@code exactBits}
 * @param needs decimal digits that tell every value from the next
 * @param exactBits below two to this power the type has every whole number
 */
record Survival(
    ToDoubleFunction<BigDecimal> nearest,
    DoubleBinaryOperator next,
    int keeps,
    int needs,
    int exactBits) {
  private static final BigDecimal HALF = new BigDecimal("0.5");

  /** What is out of range is left to the server, which refuses it. */
  boolean of(BigDecimal number) {
    BigDecimal digits = number.stripTrailingZeros();
    double value = nearest.applyAsDouble(digits);
    if (Double.isInfinite(value) || value == 0) {
      return true;
    }
    double size = Math.abs(value);
    boolean subnormal = size < Float.MIN_NORMAL; // also of doubles, to be on the safe side
    if (digits.precision() <= keeps && !subnormal && size < Math.scalb(1.0, exactBits)) {
      return true;
    }
    return digits.precision() <= needs && isShortest(digits, value);
  }

  private boolean isShortest(BigDecimal digits, double value) {
    BigDecimal exact = new BigDecimal(value);
    for (int length = 1; length <= needs; length++) {
      BigDecimal shortened = exact.round(new MathContext(length, RoundingMode.HALF_EVEN));
      if (nearest.applyAsDouble(shortened) == value && !isHalfWay(shortened, exact, value)) {
        return shortened.compareTo(digits) == 0;
      }
    }
    return false;
  }

  private boolean isHalfWay(BigDecimal number, BigDecimal exact, double value) {
    int side = number.compareTo(exact);
    double neighbour =
        next.applyAsDouble(value, side > 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY);
    return side != 0
        && !Double.isInfinite(neighbour)
        && exact.add(new BigDecimal(neighbour)).multiply(HALF).compareTo(number) == 0;
  }
}
