package dev.ingest.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private Instant now = Instant.EPOCH;

  @Test
  void terminalSeesOneLineThatIsWrittenOver() {
    ProgressLine progress = progress(true);

    for (int i = 0; i <= 5; i++) {
      String text = "count " + i;
      progress.show(() -> text);
      pass(100);
    }
    progress.end("done");

    assertThat(written())
        .isEqualTo("\r\u001b[Kcount 2\r\u001b[Kcount 4\r\u001b[Kdone" + System.lineSeparator());
  }

  @Test
  void elsewhereThereIsAPlainLineEveryTwoSeconds() {
    ProgressLine progress = progress(false);

    for (int i = 0; i <= 5; i++) {
      String text = "count " + i;
      progress.show(() -> text);
      pass(1000);
    }
    progress.end("done");

    assertThat(written().lines()).containsExactly("count 2", "count 4", "done");
  }

  @Test
  void textIsMadeOnlyWhenItIsShown() {
    progress(false)
        .show(
            () -> {
              throw new AssertionError("made too early");
            });

    assertThat(written()).isEmpty();
  }

  private ProgressLine progress(boolean terminal) {
    return new ProgressLine(new PrintStream(written, true, UTF_8), terminal, () -> now);
  }

  private void pass(long millis) {
    now = now.plus(Duration.ofMillis(millis));
  }

  private String written() {
    return written.toString(UTF_8);
  }
}
