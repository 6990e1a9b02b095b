package dev.ingest.queue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job's attributes as the flat JSON object that the column holds. */
final class Attributes {
  /** Whatever a row holds: one that cannot be read would stop all claims of its queue. */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .build())
          .build();

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
