package dev.ingest.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FailuresTest {
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @EnumSource(Code.class)
  void codeOfTheFailureDecidesTheExitCode(Code code) {
    int expected = code == Code.CONFIG_INVALID ? 2 : code == Code.VERIFY_FAILED ? 3 : 1;

    assertThat(fail(new IngestException(code, "it is so; do that."), false)).isEqualTo(expected);
    assertThat(err.toString()).isEqualTo(code + ": it is so; do that." + System.lineSeparator());
  }

  @Test
  void faultOfTheProgramShowsItsPlaceAndNotItsMessage() {
    assertThat(fail(new IllegalStateException("row (hunter2)"), false)).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("INTERNAL: IllegalStateException at dev.ingest.app.cli.FailuresTest:")
        .doesNotContain("hunter2");
    assertThat(err.toString().lines()).hasSize(1);
  }

  @Test
  void traceIsThereWhenAskedFor() {
    fail(new IllegalStateException("x"), true);

    assertThat(err.toString()).contains("\tat dev.ingest.app.cli.FailuresTest");
  }

  private int fail(Exception thrown, boolean verbose) {
    return Failures.execution(thrown, new PrintWriter(err, true), verbose);
  }
}
