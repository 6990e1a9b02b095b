package dev.ingest.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NumberTypesTest {
  @ParameterizedTest
  @CsvSource({"5ms,5", "5s,5000", "10m,600000", "2h,7200000", "7d,604800000", "0ms,0", "5 s,5000"})
  void durationHasAUnit(String text, long millis) {
    assertThat(NumberTypes.duration("0ms", "30d").parse(text)).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @CsvSource({"1KiB,1024", "8MiB,8388608", "1GiB,1073741824", "2048B,2048"})
  void sizeHasABinaryUnit(String text, long bytes) {
    assertThat(NumberTypes.bytes("1KiB", "1GiB").parse(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "ms", "5 minutes", "1.5s", "5MS", "1MB", "0x10s", "٥s", "5s "})
  void textWithoutAKnownUnitIsRefused(String text) {
    assertThatThrownBy(() -> NumberTypes.duration("0ms", "30d").parse(text))
        .isInstanceOf(InvalidValue.class)
        .hasMessageContaining("is not a duration");
  }

  @ParameterizedTest
  @CsvSource({"-1ms,below 0ms", "11s,above 10s", "999999999999999d,above 10s"})
  void durationOutOfBoundsIsRefused(String text, String reason) {
    assertThatThrownBy(() -> NumberTypes.duration("0ms", "10s").parse(text))
        .hasMessage("is " + reason + "; use 0ms..10s");
  }

  @ParameterizedTest
  @CsvSource({
    "0,below 1",
    "11,above 10",
    "4294967297,above 10",
    "-99999999999999999999999,below 1"
  })
  void integerOutOfBoundsIsRefused(String text, String reason) {
    assertThatThrownBy(() -> NumberTypes.integer(1, 10).parse(text))
        .hasMessage("is " + reason + "; use 1..10");
  }

  @Test
  void boundsAreInclusive() {
    assertThat(NumberTypes.integer(1, 10).parse("1")).isEqualTo(1);
    assertThat(NumberTypes.integer(1, 10).parse("10")).isEqualTo(10);
    assertThat(NumberTypes.duration("5ms", "1s").parse("1000ms")).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void autoIsNoNumber() {
    assertThat(NumberTypes.integerOrAuto(1, 10).parse("auto")).isEmpty();
    assertThat(NumberTypes.integerOrAuto(1, 10).parse("7")).isEqualTo(OptionalInt.of(7));
    assertThatThrownBy(() -> NumberTypes.integerOrAuto(1, 10).parse("AUTO"))
        .hasMessage("is not a whole number; use auto or 1..10");
  }
}
