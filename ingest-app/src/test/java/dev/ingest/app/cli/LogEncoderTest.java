package dev.ingest.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogEncoderTest {
  private static final Exception FAILURE =
      new IllegalStateException("outer", new SQLException("row (hunter2)"));

  @Test
  void textIsOneLineWithTimeLevelAndThread() {
    assertThat(text(false, "dev.ingest.pipeline.Loop", "assigned: topic=a\n\tpartition=1", null))
        .isEqualTo("2026-11-30T09:00:00.000Z INFO [consumer-0] assigned: topic=a partition=1\n");
  }

  @Test
  void lineOfALibraryNamesItsLogger() {
    assertThat(text(false, "org.x.Y", "hello", null)).endsWith("] org.x.Y: hello\n");
  }

  @Test
  void exceptionIsNamedWithoutItsMessage() {
    assertThat(text(false, "dev.ingest.X", "lost", FAILURE))
        .endsWith("] lost error=IllegalStateException<SQLException\n")
        .doesNotContain("hunter2");
  }

  @Test
  void verboseAddsTheTrace() {
    assertThat(text(true, "dev.ingest.X", "lost", FAILURE)).contains("\tat dev.ingest.app.cli");
  }

  @Test
  void jsonIsOneObjectALine() throws IOException {
    String line = encode(LogFormat.JSON, false, "dev.ingest.X", "say \"hi\"\nthere", FAILURE);

    assertThat(line.lines()).hasSize(1);
    JsonNode json = new JsonMapper().readTree(line);
    assertThat(json.get("time").textValue()).isEqualTo("2026-11-30T09:00:00.000Z");
    assertThat(json.get("level").textValue()).isEqualTo("INFO");
    assertThat(json.get("message").textValue()).isEqualTo("say \"hi\"\nthere");
    assertThat(json.get("error").textValue()).isEqualTo("IllegalStateException<SQLException");
    assertThat(line).doesNotContain("hunter2");
  }

  @Test
  void onlyOurOwnEventsAreLoggedFromInfoOn() {
    LogConfigurator.configure(LogFormat.TEXT, false);

    assertThat(LoggerFactory.getLogger("dev.ingest.x").isInfoEnabled()).isTrue();
    assertThat(LoggerFactory.getLogger("dev.ingest.x").isDebugEnabled()).isFalse();
    assertThat(LoggerFactory.getLogger("org.other").isInfoEnabled()).isFalse();
    assertThat(LoggerFactory.getLogger("org.other").isWarnEnabled()).isTrue();
    assertThat(LoggerFactory.getLogger("org.apache.kafka.x").isWarnEnabled()).isFalse();
    assertThat(LoggerFactory.getLogger("org.flywaydb.x").isErrorEnabled()).isFalse();
  }

  private static String text(
      boolean traces, String logger, String message, @Nullable Throwable thrown) {
    return encode(LogFormat.TEXT, traces, logger, message, thrown);
  }

  private static String encode(
      LogFormat format, boolean traces, String logger, String message, @Nullable Throwable thrown) {
    LoggingEvent event =
        new LoggingEvent(
            "", new LoggerContext().getLogger(logger), Level.INFO, message, thrown, null);
    event.setThreadName("consumer-0");
    event.setInstant(Instant.parse("2026-11-30T09:00:00Z"));
    return new String(new LogEncoder(format, traces).encode(event), UTF_8);
  }
}
