package dev.ingest.app.config;

import java.util.ArrayList;
import java.util.List;

/** One place in a record from which the business key, or a part of it, is taken. Immutable. */
public sealed interface KeyPart {
  /** The record's key. */
  record RecordKey() implements KeyPart {}

  /** The last header of that name. */
  record HeaderValue(String name) implements KeyPart {}

  /** The value at an RFC 6901 pointer into the JSON payload; never the whole document. */
  record JsonValue(String pointer) implements KeyPart {}

  /** Throws {@link InvalidValue}. */
  static List<KeyPart> parseAll(String text) {
    List<KeyPart> parts = new ArrayList<>();
    for (String part : text.split(",(?=\\s*(?:record-key|header:|json:))", -1)) {
      parts.add(parse(part.strip()));
    }
    return List.copyOf(parts);
  }

  private static KeyPart parse(String part) {
    if (part.equals("record-key")) {
      return new RecordKey();
    }
    if (part.startsWith("header:") && part.length() > "header:".length()) {
      return new HeaderValue(part.substring("header:".length()));
    }
    if (part.startsWith("json:")) {
      return json(part.substring("json:".length()));
    }
    throw InvalidValue.of(
        "is unknown; use record-key, header:NAME, json:/pointer, or several joined by commas");
  }

  private static KeyPart json(String pointer) {
    if (!pointer.startsWith("/") || pointer.matches(".*~(?![01]).*")) {
      throw InvalidValue.of("holds no JSON pointer; use one such as json:/order/id (RFC 6901)");
    }
    return new JsonValue(pointer);
  }
}
