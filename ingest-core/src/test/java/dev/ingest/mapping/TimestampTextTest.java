package dev.ingest.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ingest.mapping.ColumnType.Kind;
import dev.ingest.mapping.Fields.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampTextTest {
  private static final ColumnType ZONED = ColumnType.of(Kind.TIMESTAMPTZ);
  private static final ColumnType LOCAL = ColumnType.of(Kind.TIMESTAMP);

  private static String string(ColumnType type, String form, String text) {
    return TextRule.of(type, form(form)).apply(State.STRING, text);
  }

  private static String number(ColumnType type, String form, String text) {
    return TextRule.of(type, form(form)).apply(State.NUMBER, text);
  }

  private static ValueForm form(String words) {
    return words.isEmpty() ? ValueForm.PLAIN : ValueForm.parse(words);
  }

  @ParameterizedTest
  @CsvSource({
    "2018-01-31T01:49:59.650Z,2018-01-31 01:49:59.650000+00",
    "2018-01-31 01:49:59z,2018-01-31 01:49:59+00",
    "2018-01-31T01:49+05:45,2018-01-30 20:04:00+00",
    "2018-01-31T01:49:59.123456-0330,2018-01-31 05:19:59.123456+00",
    "2018-01-31T00:00:00.1234560000+14,2018-01-30 10:00:00.123456+00",
    "0001-01-01T00:00:00Z,0001-01-01 00:00:00+00",
    "0000-12-31T23:59:59Z,0001-12-31 23:59:59+00 BC",
    "-4712-01-01T00:00:00Z,4713-01-01 00:00:00+00 BC",
    "+294276-12-31T23:59:59.999999Z,294276-12-31 23:59:59.999999+00",
    "1969-12-31T23:59:59.999999Z,1969-12-31 23:59:59.999999+00",
    "infinity,infinity",
    "-infinity,-infinity"
  })
  void isoTimesBecomeMoments(String text, String expected) {
    assertThat(string(ZONED, "", text)).isEqualTo(expected);
    assertThat(string(ZONED, "iso", text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "epoch-ms,1517363399650,2018-01-31 01:49:59.650000+00",
    "epoch-ms,1517363399650.125,2018-01-31 01:49:59.650125+00",
    "epoch-ms,1.51736339965e12,2018-01-31 01:49:59.650000+00",
    "epoch-s,1517363399,2018-01-31 01:49:59+00",
    "epoch-s,1517363399.000001,2018-01-31 01:49:59.000001+00",
    "epoch-us,1517363399650001,2018-01-31 01:49:59.650001+00",
    "epoch-us,-1,1969-12-31 23:59:59.999999+00",
    "epoch-s,-62135596801,0001-12-31 23:59:59+00 BC"
  })
  void epochNumbersBecomeMoments(String form, String text, String expected) {
    assertThat(number(ZONED, form, text)).isEqualTo(expected);
    assertThat(string(ZONED, form, text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2018-01-31", "2018-01-31T01:49:59", "2018-01-31 01:49:59.5"})
  void aTimeWithoutAZoneNeedsOneDeclared(String text) {
    assertThatThrownBy(() -> string(ZONED, "", text)).hasMessageContaining("zone=");
    assertThat(string(ZONED, "zone=UTC", text)).startsWith("2018-01-31 0").endsWith("+00");
    assertThat(string(LOCAL, "", text)).startsWith("2018-01-31 0").doesNotContain("+");
  }

  @Test
  void aDeclaredZoneGivesTheMomentAndItsHourThatIsSkippedNone() {
    assertThat(string(ZONED, "zone=Europe/Berlin", "2018-07-01T12:00:00"))
        .isEqualTo("2018-07-01 10:00:00+00");
    assertThat(string(ZONED, "zone=Europe/Berlin", "2018-07-01T12:00:00Z"))
        .isEqualTo("2018-07-01 12:00:00+00");
    assertThatThrownBy(() -> string(ZONED, "zone=Europe/Berlin", "2018-03-25T02:30:00"))
        .hasMessageContaining("skips");
    assertThat(string(ZONED, "zone=Europe/Berlin", "2018-10-28T02:30:00"))
        .isEqualTo("2018-10-28 00:30:00+00");
  }

  @Test
  void aColumnWithoutZoneDoesNotDropOne() {
    assertThatThrownBy(() -> string(LOCAL, "", "2018-01-31T01:49:59Z"))
        .hasMessageContaining("drop");
    assertThat(string(LOCAL, "zone=Asia/Kathmandu", "2018-01-31T01:49:59Z"))
        .isEqualTo("2018-01-31 07:34:59");
    assertThat(number(LOCAL, "epoch-s zone=Asia/Kathmandu", "1517363399"))
        .isEqualTo("2018-01-31 07:34:59");
    assertThatThrownBy(() -> TextRule.of(LOCAL, form("epoch-s")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("zone=");
  }

  @ParameterizedTest
  @CsvSource({
    "iso,2018-01-31T01:49:59.1234567Z",
    "epoch-us,1517363399650001.5",
    "epoch-ms,1517363399650.0001"
  })
  void whatIsFinerThanAMicrosecondIsRefusedUnlessDeclaredLossy(String form, String text) {
    assertThatThrownBy(() -> string(ZONED, form, text)).hasMessageContaining("lossy");
    assertThat(string(ZONED, form + " lossy", text)).startsWith("2018-01-31 01:49:59.");
  }

  @Test
  void aColumnOfWholeSecondsRefusesFractions() {
    ColumnType seconds = ColumnType.of(Kind.TIMESTAMPTZ, 0);

    assertThatThrownBy(() -> number(seconds, "epoch-ms", "1517363399650"))
        .hasMessageContaining("0 digits");
    assertThat(number(seconds, "epoch-ms lossy", "1517363399650"))
        .isEqualTo("2018-01-31 01:49:59+00");
    assertThat(string(seconds, "lossy", "2018-01-31T01:49:59.65Z"))
        .isEqualTo("2018-01-31 01:49:59+00");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2018-02-30T00:00:00Z",
        "2016-12-31T23:59:60Z",
        "2018-01-31T24:00:00Z",
        "31.01.2018",
        "2018-1-31T00:00:00Z",
        "2018-01-31T01Z",
        "2018-01-31T00:00:00+19",
        "20180131T000000Z",
        "2018-01-31T00:00:00 Z",
        "２018-01-31T00:00:00Z",
        "tomorrow",
        "now"
      })
  void otherTextsAreRefused(String text) {
    assertThatThrownBy(() -> string(ZONED, "", text)).isInstanceOf(UnfitValueException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e400", "1e999999999", "99999999999999999999", "-1e40", "abc", ""})
  void otherNumbersAreRefused(String text) {
    assertThatThrownBy(() -> string(ZONED, "epoch-s", text))
        .isInstanceOf(UnfitValueException.class);
  }

  @Test
  void aNumberWithoutADeclaredUnitIsRefused() {
    assertThatThrownBy(() -> number(ZONED, "", "1517363399650")).hasMessageContaining("epoch-ms");
  }

  @Test
  void datesAndTimesOfDayDropNothing() {
    ColumnType date = ColumnType.of(Kind.DATE);
    ColumnType time = ColumnType.of(Kind.TIME);
    ColumnType zonedTime = ColumnType.of(Kind.TIMETZ);

    assertThat(string(date, "", "2018-01-31")).isEqualTo("2018-01-31");
    assertThat(string(date, "", "-0001-01-31")).isEqualTo("0002-01-31 BC");
    assertThatThrownBy(() -> string(date, "", "2018-01-31T00:00:00Z")).hasMessageContaining("date");
    assertThat(string(time, "", "01:49:59.65")).isEqualTo("01:49:59.65");
    assertThatThrownBy(() -> string(time, "", "01:49:59+01")).hasMessageContaining("drop");
    assertThatThrownBy(() -> string(time, "", "01:49:59.1234567")).hasMessageContaining("digits");
    assertThat(string(zonedTime, "", "01:49:59+01:30")).isEqualTo("01:49:59+01:30");
    assertThatThrownBy(() -> string(zonedTime, "", "01:49:59")).hasMessageContaining("zone");
    assertThatThrownBy(() -> string(ColumnType.of(Kind.INTERVAL), "", "PT0.1234567S"))
        .hasMessageContaining("digits");
  }
}
