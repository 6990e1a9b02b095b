package dev.ingest.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Writes each event as one line. Of an exception it names the classes alone, since messages of
 * drivers may quote a row; with {@code --verbose} it writes the whole trace. Safe from any thread.
 */
final class LogEncoder extends EncoderBase<ILoggingEvent> {
  private static final String OURS = "dev.ingest.";
  private static final byte[] NOTHING = {};
  private static final JsonFactory JSON = new JsonFactory();
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final LogFormat format;
  private final boolean traces;

  LogEncoder(LogFormat format, boolean traces) {
    this.format = format;
    this.traces = traces;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    return (format == LogFormat.JSON ? json(event) : text(event)).getBytes(UTF_8);
  }

  private String text(ILoggingEvent event) {
    StringBuilder line = new StringBuilder(TIME.format(Instant.ofEpochMilli(event.getTimeStamp())));
    line.append(' ').append(event.getLevel());
    line.append(" [").append(event.getThreadName()).append("] ");
    if (!event.getLoggerName().startsWith(OURS)) {
      line.append(event.getLoggerName()).append(": ");
    }
    line.append(oneLine(event.getFormattedMessage()));
    if (event.getThrowableProxy() != null) {
      line.append(" error=").append(classes(event.getThrowableProxy()));
    }
    line.append('\n');
    return traces && event.getThrowableProxy() != null
        ? line + ThrowableProxyUtil.asString(event.getThrowableProxy())
        : line.toString();
  }

  private String json(ILoggingEvent event) {
    StringWriter line = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(line)) {
      json.writeStartObject();
      json.writeStringField("time", TIME.format(Instant.ofEpochMilli(event.getTimeStamp())));
      json.writeStringField("level", event.getLevel().toString());
      json.writeStringField("thread", event.getThreadName());
      json.writeStringField("logger", event.getLoggerName());
      json.writeStringField("message", event.getFormattedMessage());
      if (event.getThrowableProxy() != null) {
        json.writeStringField("error", classes(event.getThrowableProxy()));
        if (traces) {
          json.writeStringField("trace", ThrowableProxyUtil.asString(event.getThrowableProxy()));
        }
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return line.append('\n').toString();
  }

  /** {@code IngestException<PSQLException<SocketTimeoutException}. */
  private static String classes(IThrowableProxy thrown) {
    StringBuilder names = new StringBuilder(simpleName(thrown));
    for (IThrowableProxy cause = thrown.getCause(); cause != null; cause = cause.getCause()) {
      names.append('<').append(simpleName(cause));
    }
    return names.toString();
  }

  private static String simpleName(IThrowableProxy thrown) {
    return thrown.getClassName().substring(thrown.getClassName().lastIndexOf('.') + 1);
  }

  private static String oneLine(String message) {
    return message.replaceAll("\\p{Cntrl}+", " ");
  }

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }
}
