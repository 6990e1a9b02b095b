package dev.ingest.postgres;

import dev.ingest.mapping.ColumnType.Kind;
import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The stretch of time in which a key is looked for: to both sides of the event's own time. Two
 * bounds around the whole chunk, whose values are known when the statement is planned, leave out
 * the partitions that no row needs; what counts is each row's own. Immutable.
 *
 * @param column the time by which the table is divided
 * @param array which array parameter fills it
 * @param length to each side, inclusive
 */
record ProbeWindow(CatalogColumn column, int array, Duration length) {
  /** How {@code TimestampText} and {@code TimeText} write a time of the years 0001 to 9999. */
  private static final Pattern PLAIN_TIME =
      Pattern.compile("(\\d{4}-\\d\\d-\\d\\d)(?: (\\d\\d:\\d\\d:\\d\\d)(?:\\.\\d+)?(?:\\+00)?)?");

  private static final DateTimeFormatter AS_SQL =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

  /** More than what cutting off fractions takes away. */
  private static final Duration MARGIN = Duration.ofSeconds(1);

  /**
   * The condition on the probed table {@code t}. Ends with two parameters of the chunk's bounds.
   *
   * @param value the row's time, of the column's type
   */
  String sql(String value) {
    String time = "t." + Sql.identifier(column.name());
    return "%1$s BETWEEN (%2$s) - %3$s AND (%2$s) + %3$s AND %1$s BETWEEN ?::%4$s AND ?::%4$s"
        .formatted(time, value, interval(length), column.type().castName());
  }

  /** A length of time as SQL writes it. */
  static String interval(Duration length) {
    return "interval '%s seconds'"
        .formatted(BigDecimal.valueOf(length.toMillis(), 3).toPlainString());
  }

  private boolean isZoned() {
    return column.type().rule().kind() == Kind.TIMESTAMPTZ;
  }

  /**
   * Binds the bounds around all times of a chunk.
   *
   * @param times as the array parameter holds them: milliseconds or texts
   */
  void bind(PreparedStatement statement, int parameter, @Nullable Object[] times)
      throws SQLException {
    LocalDateTime first = LocalDateTime.MAX;
    LocalDateTime last = LocalDateTime.MIN;
    for (Object each : times) {
      LocalDateTime time = each == null ? null : time(each);
      if (time == null) {
        // Infinite, before Christ or far ahead: the rows' own bounds do without these.
        first = LocalDateTime.MIN;
        last = LocalDateTime.MAX;
        break;
      }
      first = time.isBefore(first) ? time : first;
      last = time.isAfter(last) ? time : last;
    }
    // Without a type of its own the server reads it as what it is cast to, before it plans.
    statement.setObject(parameter, bound(first, length.negated(), "-infinity"), Types.OTHER);
    statement.setObject(parameter + 1, bound(last, length, "infinity"), Types.OTHER);
  }

  private static @Nullable LocalDateTime time(Object value) {
    if (value instanceof Long millis) {
      return LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), ZoneOffset.UTC);
    }
    Matcher parts = PLAIN_TIME.matcher(value.toString());
    if (!parts.matches()) {
      return null;
    }
    LocalDate date = LocalDate.parse(parts.group(1));
    return parts.group(2) == null
        ? date.atStartOfDay()
        : LocalDateTime.parse(date + "T" + parts.group(2));
  }

  private String bound(LocalDateTime time, Duration away, String none) {
    if (time.equals(LocalDateTime.MIN) || time.equals(LocalDateTime.MAX)) {
      return none;
    }
    Duration outward = away.isNegative() ? away.minus(MARGIN) : away.plus(MARGIN);
    LocalDateTime bound = time.plus(outward);
    if (bound.getYear() < 1 || bound.getYear() > 9999) {
      return none;
    }
    return AS_SQL.format(bound) + (isZoned() ? "+00" : "");
  }
}
