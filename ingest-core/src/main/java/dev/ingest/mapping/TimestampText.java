package dev.ingest.mapping;

import dev.ingest.mapping.Fields.State;
import dev.ingest.mapping.ValueForm.Notation;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Times for timestamp columns, to the microsecond. No zone is ever taken from a session or from
 * this JVM: a time says it, or the column's form does, or the time is refused. Immutable.
 */
final class TimestampText implements TextRule {
  private static final int MICROS_OF_SECOND = 1_000_000;

  /** Beyond what a timestamp holds in microseconds. */
  private static final int MOST_DIGITS = 19;

  private final boolean zoned;
  private final int fractionDigits;
  private final Notation notation;
  private final @Nullable ZoneId zone;
  private final boolean lossy;

  TimestampText(ColumnType type, ValueForm form) {
    this.zoned = type.kind() == ColumnType.Kind.TIMESTAMPTZ;
    this.fractionDigits = type.hasLimit() ? type.limit() : TimeText.MICROS;
    this.notation = form.notation();
    this.zone = form.timeZone();
    this.lossy = form.lossy();
    if (!zoned && notation.isEpoch() && zone == null) {
      throw new IllegalArgumentException(
          "puts a moment into a column without a time zone; add zone=UTC or another one");
    }
  }

  @Override
  public String apply(State state, String text) {
    if (notation.isEpoch()) {
      return moment(epoch(text));
    }
    if (state == State.NUMBER) {
      throw new UnfitValueException(
          "22007", "time is a number; declare the column epoch-s, epoch-ms or epoch-us");
    }
    if (text.equals("infinity") || text.equals("-infinity")) {
      return text;
    }
    return iso(IsoTime.parse(text));
  }

  private String iso(IsoTime time) {
    int micros = TimeText.micros(time.fraction(), fractionDigits, lossy);
    LocalDateTime local = time.local().withNano(micros * 1000);
    ZoneOffset offset = time.offset();
    if (offset != null) {
      return zoned || zone != null ? moment(local.toInstant(offset)) : refuseZone();
    }
    if (!zoned) {
      return TimeText.format(local);
    }
    if (zone == null) {
      throw new UnfitValueException(
          "22007", "time names no zone; declare the column with zone=Area/City, or send one");
    }
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
    if (offsets.isEmpty()) {
      throw new UnfitValueException("22008", "time falls into the hour that " + zone + " skips");
    }
    return moment(local.toInstant(offsets.get(0)));
  }

  private static String refuseZone() {
    throw new UnfitValueException(
        "22007",
        "time names a zone, which the column would drop; declare the column with zone=Area/City");
  }

  private String moment(Instant moment) {
    try {
      return zoned
          ? TimeText.format(moment.atOffset(ZoneOffset.UTC).toLocalDateTime(), "+00")
          : TimeText.format(LocalDateTime.ofInstant(moment, zone == null ? ZoneOffset.UTC : zone));
    } catch (DateTimeException tooFar) {
      throw new UnfitValueException("22008", "time is out of range");
    }
  }

  private Instant epoch(String text) {
    long micros = micros(text);
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, MICROS_OF_SECOND), Math.floorMod(micros, MICROS_OF_SECOND) * 1000L);
  }

  private long micros(String text) {
    BigDecimal number = number(text);
    if ((long) number.precision() - number.scale() > MOST_DIGITS) {
      throw new UnfitValueException("22008", "time is out of range");
    }
    BigDecimal seconds = number.movePointLeft(digitsBelowSecond());
    BigDecimal cut = seconds.setScale(fractionDigits, RoundingMode.FLOOR);
    if (!lossy && cut.compareTo(seconds) != 0) {
      throw TimeText.tooFine(fractionDigits);
    }
    try {
      return cut.movePointRight(TimeText.MICROS).longValueExact();
    } catch (ArithmeticException tooFar) {
      throw new UnfitValueException("22008", "time is out of range");
    }
  }

  private static BigDecimal number(String text) {
    try {
      return new BigDecimal(text.strip());
    } catch (NumberFormatException other) {
      throw new UnfitValueException("22007", "time is no number, though the column is declared so");
    }
  }

  private int digitsBelowSecond() {
    return switch (notation) {
      case EPOCH_MS -> 3;
      case EPOCH_US -> TimeText.MICROS;
      default -> 0;
    };
  }
}
