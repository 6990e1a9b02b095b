package dev.ingest.app.config;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Types with a unit and bounds, both inclusive. */
final class NumberTypes {
  private static final Map<String, Long> MILLIS =
      Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);
  private static final Map<String, Long> BYTES =
      Map.of("B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);
  private static final Pattern WITH_UNIT = Pattern.compile("(-?[0-9]{1,15}) ?([A-Za-z]+)");

  private NumberTypes() {}

  static ValueType<Integer> integer(int min, int max) {
    return new Type<>(min + ".." + max) {
      @Override
      public Integer parse(String text) {
        return wholeNumber(text, min, max, values());
      }
    };
  }

  /** A whole number, or the word {@code auto}, which is the empty value. */
  static ValueType<OptionalInt> integerOrAuto(int min, int max) {
    return new Type<>("`auto` · " + min + ".." + max) {
      @Override
      public OptionalInt parse(String text) {
        return text.equals("auto")
            ? OptionalInt.empty()
            : OptionalInt.of(wholeNumber(text, min, max, "auto or " + min + ".." + max));
      }
    };
  }

  /** A part of the whole, from 0 to 1. */
  static ValueType<Double> share() {
    return new Type<>("0..1") {
      @Override
      public Double parse(String text) {
        if (!text.matches("0|1|0[.][0-9]{1,6}|1[.]0{1,6}")) {
          throw InvalidValue.of("is not a share such as 0.5; use " + values());
        }
        return Double.valueOf(text);
      }
    };
  }

  static ValueType<Duration> duration(String min, String max) {
    return new Type<>(min + ".." + max) {
      @Override
      public Duration parse(String text) {
        return Duration.ofMillis(
            withUnit(text, min, max, MILLIS, "a duration such as 5ms, 5s, 10m, 7d"));
      }
    };
  }

  static ValueType<Long> bytes(String min, String max) {
    return new Type<>(min + ".." + max) {
      @Override
      public Long parse(String text) {
        return withUnit(text, min, max, BYTES, "a size such as 512KiB, 8MiB, 1GiB");
      }
    };
  }

  private static int wholeNumber(String text, int min, int max, String use) {
    if (!text.matches("[+-]?[0-9]{1,30}")) {
      throw InvalidValue.of("is not a whole number; use " + use);
    }
    BigInteger number = new BigInteger(text);
    if (number.compareTo(BigInteger.valueOf(min)) < 0) {
      throw InvalidValue.of("is below " + min + "; use " + use);
    }
    if (number.compareTo(BigInteger.valueOf(max)) > 0) {
      throw InvalidValue.of("is above " + max + "; use " + use);
    }
    return number.intValueExact();
  }

  private static long withUnit(
      String text, String min, String max, Map<String, Long> units, String example) {
    BigInteger amount = amount(text, units, example);
    if (amount.compareTo(amount(min, units, example)) < 0) {
      throw InvalidValue.of("is below " + min + "; use " + min + ".." + max);
    }
    if (amount.compareTo(amount(max, units, example)) > 0) {
      throw InvalidValue.of("is above " + max + "; use " + min + ".." + max);
    }
    return amount.longValueExact();
  }

  private static BigInteger amount(String text, Map<String, Long> units, String example) {
    Matcher matcher = WITH_UNIT.matcher(text);
    Long unit = matcher.matches() ? units.get(matcher.group(2)) : null;
    if (unit == null) {
      throw InvalidValue.of("is not " + example + "; give a whole number and a unit");
    }
    return new BigInteger(matcher.group(1)).multiply(BigInteger.valueOf(unit));
  }

  private abstract static class Type<T> implements ValueType<T> {
    private final String values;

    Type(String values) {
      this.values = values;
    }

    @Override
    public String values() {
      return values;
    }
  }
}
