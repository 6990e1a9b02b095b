package dev.ingest.queue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job's attributes as the flat JSON object that the column holds. */
final class Attributes {
  private static final JsonFactory JSON = new JsonFactory();
  private static final String NONE = "{}";

  private Attributes() {}

  /** Null where there are none. */
  static @Nullable String toJson(Map<String, String> attributes) {
    if (attributes.isEmpty()) {
      return null;
    }
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      for (Map.Entry<String, String> each : attributes.entrySet()) {
        json.writeStringField(each.getKey(), each.getValue());
      }
      json.writeEndObject();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return text.toString();
  }

  /** Values that are not scalar were not written by us; they are passed over. */
  static Map<String, String> fromJson(String text) {
    if (text.equals(NONE)) {
      return Map.of();
    }
    Map<String, String> attributes = new LinkedHashMap<>();
    try (JsonParser json = JSON.createParser(text)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        if (json.nextToken().isScalarValue() && json.currentToken() != JsonToken.VALUE_NULL) {
          attributes.put(name, json.getText());
        }
        json.skipChildren();
      }
    } catch (IOException notAnObject) {
      throw new UncheckedIOException(notAnObject);
    }
    return attributes;
  }
}
