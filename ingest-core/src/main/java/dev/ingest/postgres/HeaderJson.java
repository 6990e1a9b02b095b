package dev.ingest.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.ingest.event.Header;
import dev.ingest.event.Utf8;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Headers as JSON, in their order: {@code [{"name": "trace", "value": "a1"}]}. A value that text
 * can't hold is written as {@code "base64"} instead, so nothing is altered.
 */
final class HeaderJson {
  private static final JsonFactory JSON = new JsonFactory();

  private HeaderJson() {}

  /** Null where there are no headers. */
  static @Nullable String of(List<Header> headers) {
    if (headers.isEmpty()) {
      return null;
    }
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartArray();
      for (Header header : headers) {
        write(json, header);
      }
      json.writeEndArray();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, Header header) throws IOException {
    byte[] value = header.value();
    json.writeStartObject();
    json.writeStringField("name", header.name());
    if (value == null) {
      json.writeNullField("value");
    } else if (isText(value)) {
      json.writeStringField("value", new String(value, UTF_8));
    } else {
      json.writeBinaryField("base64", value);
    }
    json.writeEndObject();
  }

  private static boolean isText(byte[] value) {
    for (byte b : value) {
      if (b == 0) {
        return false;
      }
    }
    return Utf8.isValid(value);
  }
}
