package dev.ingest.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ingest.mapping.ColumnType.Kind;
import dev.ingest.mapping.Fields.State;
import java.math.BigDecimal;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NumberTextTest {
  private static String apply(ColumnType type, String number) {
    return TextRule.of(type, ValueForm.PLAIN).apply(State.NUMBER, number);
  }

  private static String lossy(ColumnType type, String number) {
    return TextRule.of(type, ValueForm.parse("lossy")).apply(State.NUMBER, number);
  }

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "-7,-7",
    "9223372036854775807,9223372036854775807",
    "1.0,1",
    "-2.50e2,-250",
    "1e18,1000000000000000000",
    "0.0e999999999,0",
    "99999999999999999999,99999999999999999999"
  })
  void wholeNumbersReachIntegerColumnsExactly(String number, String expected) {
    assertThat(apply(ColumnType.of(Kind.INTEGER), number)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.5", "1e-1", "1e999999999", "-1e400", "1e-999999999"})
  void otherNumbersAreRefusedForIntegerColumnsAtOnce(String number) {
    assertThatThrownBy(() -> apply(ColumnType.of(Kind.INTEGER), number))
        .isInstanceOf(UnfitValueException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.25", "1.2500", "-0.1", "12345678901234567890", "1e3", "0.50e-1"})
  void aNumericKeepsItsScale(String number) {
    assertThat(apply(ColumnType.of(Kind.NUMERIC, 2), number)).isEqualTo(number);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.255", "0.001", "1e-3", "1.00000000000000000000001"})
  void aNumericWouldRoundSilentlyAndRefuses(String number) {
    ColumnType scaled = ColumnType.of(Kind.NUMERIC, 2);

    assertThatThrownBy(() -> apply(scaled, number)).hasMessageContaining("2 digits");
    assertThat(lossy(scaled, number)).isEqualTo(number);
    assertThat(apply(ColumnType.of(Kind.NUMERIC), number)).isEqualTo(number);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.1",
        "-122.1970",
        "9007199254740992",
        "1.7976931348623157e308",
        "0",
        "5e-324",
        "1e22",
        "2e-3"
      })
  void whatADoubleKeepsPasses(String number) {
    assertThat(apply(ColumnType.of(Kind.DOUBLE), number)).isEqualTo(number);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9007199254740993",
        "0.10000000000000001",
        "3.14159265358979323846",
        "7e-324",
        "1e23" // half way between two: the server shows 9.999999999999999e+22
      })
  void whatADoubleWouldAlterIsRefused(String number) {
    assertThatThrownBy(() -> apply(ColumnType.of(Kind.DOUBLE), number))
        .hasMessageContaining("lossy");
    assertThat(lossy(ColumnType.of(Kind.DOUBLE), number)).isEqualTo(number);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.1", "16777216", "3.4028235e38", "1.1754944e-38"})
  void whatARealKeepsPasses(String number) {
    assertThat(apply(ColumnType.of(Kind.REAL), number)).isEqualTo(number);
  }

  @ParameterizedTest
  @ValueSource(strings = {"16777217", "0.123456789", "3.14159265", "3e10", "95705140"})
  void whatARealWouldAlterIsRefused(String number) {
    assertThatThrownBy(() -> apply(ColumnType.of(Kind.REAL), number))
        .isInstanceOf(UnfitValueException.class);
  }

  @Property
  void everyDoubleSurvivesInItsShortestForm(@ForAll double value) {
    if (Double.isFinite(value)) {
      String shortest = shortest(value);

      assertThat(apply(ColumnType.of(Kind.DOUBLE), shortest)).isEqualTo(shortest);
    }
  }

  /** Double.toString of JDK 17 sometimes gives a digit too many. */
  private static String shortest(double value) {
    for (int digits = 1; ; digits++) {
      String text = "%.{n}e".replace("{n}", Integer.toString(digits - 1));
      String written = String.format(java.util.Locale.ROOT, text, new BigDecimal(value));
      if (Double.parseDouble(written) == value && !isHalfWay(new BigDecimal(written), value)) {
        return written;
      }
    }
  }

  private static boolean isHalfWay(BigDecimal number, double value) {
    BigDecimal twice = number.add(number).subtract(new BigDecimal(value));
    return twice.compareTo(new BigDecimal(value)) != 0
        && (is(twice, Math.nextUp(value)) || is(twice, Math.nextDown(value)));
  }

  private static boolean is(BigDecimal number, double value) {
    return Double.isFinite(value) && number.compareTo(new BigDecimal(value)) == 0;
  }
}
