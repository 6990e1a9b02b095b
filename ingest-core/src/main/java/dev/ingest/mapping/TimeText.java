package dev.ingest.mapping;

import dev.ingest.mapping.Fields.State;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Dates, times of day and intervals, and how PostgreSQL wants them written. */
final class TimeText {
  /** Digits of a second that a timestamp keeps. */
  static final int MICROS = 6;

  private static final Pattern DATE = Pattern.compile("([+-]?\\d{4,6})-(\\d\\d)-(\\d\\d)");
  private static final Pattern OF_DAY =
      Pattern.compile(
          "([01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.(\\d+))?)?([Zz]|[+-]\\d\\d(?::?\\d\\d)?)?");
  private static final Pattern FRACTION = Pattern.compile("\\.(\\d+)");

  private TimeText() {}

  static String date(State state, String text) {
    if (text.equals("infinity") || text.equals("-infinity")) {
      return text;
    }
    Matcher parts = DATE.matcher(text);
    if (!parts.matches()) {
      throw new UnfitValueException("22007", "date is not in ISO form, such as 2018-01-31");
    }
    try {
      LocalDate date =
          LocalDate.of(
              Integer.parseInt(parts.group(1)),
              Integer.parseInt(parts.group(2)),
              Integer.parseInt(parts.group(3)));
      return format(date) + era(date);
    } catch (DateTimeException impossible) {
      throw new UnfitValueException("22008", "date does not exist");
    }
  }

  static String ofDay(String text, ColumnType type, boolean lossy) {
    Matcher parts = OF_DAY.matcher(text);
    if (!parts.matches()) {
      throw new UnfitValueException("22007", "time of day is not in ISO form, such as 01:49:59.65");
    }
    if ((parts.group(3) != null) != (type.kind() == ColumnType.Kind.TIMETZ)) {
      throw new UnfitValueException(
          "22007",
          parts.group(3) == null
              ? "time of day names no zone; send one, or use a column of type time"
              : "time of day names a zone, which the column would drop; use timetz");
    }
    if (parts.group(2) != null) {
      micros(parts.group(2), type.hasLimit() ? type.limit() : MICROS, lossy);
    }
    return text;
  }

  static String interval(String text, ColumnType type, boolean lossy) {
    Matcher parts = FRACTION.matcher(text);
    while (parts.find()) {
      micros(parts.group(1), type.hasLimit() ? type.limit() : MICROS, lossy);
    }
    return text;
  }

  /**
   * Microseconds of a second's fraction.
   *
   * @param keeps how many digits the column keeps
   * @throws UnfitValueException where digits would be lost and must not
   */
  static int micros(String fraction, int keeps, boolean lossy) {
    int micros = 0;
    for (int i = 0; i < MICROS; i++) {
      int digit = i < fraction.length() && i < keeps ? fraction.charAt(i) - '0' : 0;
      micros = micros * 10 + digit;
    }
    for (int i = keeps; i < fraction.length() && !lossy; i++) {
      if (fraction.charAt(i) != '0') {
        throw tooFine(keeps);
      }
    }
    return micros;
  }

  static UnfitValueException tooFine(int keeps) {
    return new UnfitValueException(
        "22008",
        "time has more than the column's "
            + keeps
            + " digits of a second; declare the column lossy to cut them off");
  }

  static String format(LocalDateTime time) {
    return format(time, "");
  }

  /** {@code 2018-01-31 01:49:59.65+00}, or with {@code BC} before year 1. */
  static String format(LocalDateTime time, String offset) {
    StringBuilder text = new StringBuilder(32).append(format(time.toLocalDate())).append(' ');
    two(text, time.getHour()).append(':');
    two(text, time.getMinute()).append(':');
    two(text, time.getSecond());
    int micros = time.getNano() / 1000;
    if (micros != 0) {
      text.append('.').append(Integer.toString(1_000_000 + micros), 1, 7);
    }
    return text.append(offset).append(era(time.toLocalDate())).toString();
  }

  private static String format(LocalDate date) {
    int year = date.getYear() > 0 ? date.getYear() : 1 - date.getYear();
    StringBuilder text = new StringBuilder(12);
    text.append(year < 1000 ? "0".repeat(4 - Integer.toString(year).length()) : "").append(year);
    two(text.append('-'), date.getMonthValue());
    two(text.append('-'), date.getDayOfMonth());
    return text.toString();
  }

  private static String era(LocalDate date) {
    return date.getYear() > 0 ? "" : " BC";
  }

  private static StringBuilder two(StringBuilder text, int number) {
    return text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
  }
}
