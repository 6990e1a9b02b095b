package dev.ingest.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SendProgressTest {
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private Instant now = Instant.EPOCH;

  @Test
  void countShareAndRateAreShownWhereTheSizeIsKnown() throws IOException {
    SendProgress progress = progress(400);
    try (InputStream input = progress.counted(new ByteArrayInputStream(new byte[200]))) {
      input.readNBytes(99);
      input.read();
    }
    pass(2000);

    progress.sent(5000);

    assertThat(shown()).isEqualTo("sent 5,000, 25 % of the input, 2,500/s");
  }

  @Test
  void countAndRateAreShownWhereTheSizeIsUnknown() {
    SendProgress progress = progress(SendProgress.UNKNOWN);
    pass(500);

    progress.sent(7);

    assertThat(shown()).isEqualTo("sent 7, 14/s");
  }

  @Test
  void aFileThatGrowsMeanwhileIsNeverBeyondItsEnd() throws IOException {
    SendProgress progress = progress(10);
    try (InputStream input = progress.counted(new ByteArrayInputStream(new byte[20]))) {
      input.readAllBytes();
    }
    pass(1000);

    progress.sent(1);

    assertThat(shown()).isEqualTo("sent 1, 100 % of the input, 1/s");
  }

  @Test
  void pipesAndFilesAreNoTerminals() {
    assertThat(Terminal.isTerminal(Path.of("/dev/pts/3"))).isTrue();
    assertThat(Terminal.isTerminal(Path.of("/dev/tty1"))).isTrue();
    assertThat(Terminal.isTerminal(Path.of("/dev/null"))).isFalse();
    assertThat(Terminal.isTerminal(Path.of("/tmp/log"))).isFalse();
    assertThat(Terminal.isTerminal(Path.of("pipe:[4711]"))).isFalse();
  }

  private SendProgress progress(long bytesInAll) {
    return new SendProgress(
        new ProgressLine(new PrintStream(written, true, UTF_8), true, () -> now),
        bytesInAll,
        () -> now);
  }

  private void pass(long millis) {
    now = now.plus(Duration.ofMillis(millis));
  }

  private String shown() {
    return written.toString(UTF_8).replace("\r\u001b[K", "");
  }
}
