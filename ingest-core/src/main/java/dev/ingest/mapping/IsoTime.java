package dev.ingest.mapping;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A date and time as ISO 8601 and RFC 3339 write it, also with a space for the {@code T}.
 *
 * @param local to the second
 * @param fraction digits of the second's fraction, perhaps empty
 * @param offset null where none is given
 */
record IsoTime(LocalDateTime local, String fraction, @Nullable ZoneOffset offset) {
  private static final Pattern FORM =
      Pattern.compile(
          "([+-]?\\d{4,6})-(\\d\\d)-(\\d\\d)"
              + "(?:[Tt ](\\d\\d):(\\d\\d)(?::(\\d\\d)(?:[.,](\\d+))?)?"
              + "([Zz]|([+-]\\d\\d)(?::?(\\d\\d)(?::?(\\d\\d))?)?)?)?");

  /**
   * @throws UnfitValueException where it is no such text, or no such time; a leap second is none
   */
  static IsoTime parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      throw new UnfitValueException(
          "22007", "time is not in ISO form, such as 2018-01-31T01:49:59.650Z");
    }
    if (number(parts, 6) == 60) {
      throw new UnfitValueException("22008", "time is a leap second, which PostgreSQL has none of");
    }
    try {
      LocalDateTime local =
          LocalDateTime.of(
              number(parts, 1),
              number(parts, 2),
              number(parts, 3),
              number(parts, 4),
              number(parts, 5),
              number(parts, 6));
      String fraction = parts.group(7);
      return new IsoTime(local, fraction == null ? "" : fraction, offset(parts));
    } catch (DateTimeException impossible) {
      throw new UnfitValueException("22008", "time does not exist");
    }
  }

  private static @Nullable ZoneOffset offset(Matcher parts) {
    String mark = parts.group(8);
    if (mark == null) {
      return null;
    }
    if (parts.group(9) == null) {
      return ZoneOffset.UTC;
    }
    int sign = parts.group(9).startsWith("-") ? -1 : 1;
    return ZoneOffset.ofHoursMinutesSeconds(
        number(parts, 9), sign * number(parts, 10), sign * number(parts, 11));
  }

  private static int number(Matcher parts, int group) {
    String digits = parts.group(group);
    return digits == null ? 0 : Integer.parseInt(digits);
  }
}
