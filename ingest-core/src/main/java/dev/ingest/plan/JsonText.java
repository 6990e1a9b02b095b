package dev.ingest.plan;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonToken;
import dev.ingest.plan.KeyPart.Found;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads one scalar out of a JSON document without building a tree, and no further than it must. */
final class JsonText {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonText() {}

  static Found at(byte @Nullable [] document, JsonPointer pointer) {
    if (document == null) {
      return new Found.Nothing("the record is a tombstone, it has no field " + pointer);
    }
    try (JsonParser parser = JSON.createParser(document)) {
      parser.nextToken();
      return descend(parser, pointer)
          ? scalar(parser, pointer)
          : new Found.Nothing("the payload has no field " + pointer);
    } catch (IOException notJson) {
      return new Found.Nothing("the payload is not readable as JSON");
    }
  }

  /** Moves the parser to the value that the pointer leads to. */
  private static boolean descend(JsonParser parser, JsonPointer pointer) throws IOException {
    for (JsonPointer rest = pointer; !rest.matches(); rest = rest.tail()) {
      boolean found =
          parser.isExpectedStartObjectToken()
              ? field(parser, rest.getMatchingProperty())
              : parser.isExpectedStartArrayToken() && element(parser, rest.getMatchingIndex());
      if (!found) {
        return false;
      }
    }
    return parser.currentToken() != null;
  }

  private static boolean field(JsonParser parser, String name) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      boolean wanted = parser.currentName().equals(name);
      parser.nextToken();
      if (wanted) {
        return true;
      }
      parser.skipChildren();
    }
    return false;
  }

  private static boolean element(JsonParser parser, int index) throws IOException {
    for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
      if (i == index) {
        return true;
      }
      parser.skipChildren();
    }
    return false;
  }

  private static Found scalar(JsonParser parser, JsonPointer pointer) throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_NULL) {
      return new Found.Nothing("field " + pointer + " is null");
    }
    return parser.currentToken().isScalarValue()
        ? new Found.Text(parser.getText())
        : new Found.Nothing("field " + pointer + " is an object or an array");
  }
}
