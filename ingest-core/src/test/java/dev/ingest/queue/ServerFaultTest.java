package dev.ingest.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerFaultTest {
  private static Optional<SQLException> in(String state) {
    return ServerFault.in(new IllegalStateException(new SQLException("text", state)), false);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"08006", "25006", "25P03", "42501", "42P01", "53100", "53200", "57P01", "58030"})
  void speaksOfTheServer(String state) {
    assertThat(in(state)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"23505", "22012", "40001", "57014", "P0001", "APP01", "25P02", "0A000"})
  void isMetByTheWorkItself(String state) {
    assertThat(in(state)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"40001", "40P01", "55P03", "57014", "26000"})
  void mayBeOverAtTheNextTry(String state) {
    assertThat(ServerFault.isPassing(new SQLException("text", state))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"23505", "40002", "40003", "25P02", "P0001", "53100", ""})
  void lasts(String state) {
    assertThat(ServerFault.isPassing(new SQLException("text", state))).isFalse();
  }

  @Test
  void withoutAStateTheConnectionDecides() {
    SQLException own = new SQLException("no such customer");

    assertThat(ServerFault.in(own, false)).isEmpty();
    assertThat(ServerFault.in(own, true)).contains(own);
  }

  @Test
  void whatAHandlerDecidesIsDecidedAndWhatIsNotOfADatabaseIsTheJobs() {
    Exception decided = JobFailedException.forGood("no such address");
    decided.initCause(new SQLException("text", "53100"));
    Exception circle = new IllegalStateException();
    circle.initCause(new IllegalStateException(circle));

    assertThat(ServerFault.in(decided, false)).isEmpty();
    assertThat(ServerFault.in(circle, true)).isEmpty();
  }
}
