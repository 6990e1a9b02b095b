package dev.ingest.mapping;

import com.fasterxml.jackson.core.JsonPointer;
import java.util.Optional;

/** Where the value of a column comes from. Immutable. */
public sealed interface ColumnSource {
  /** The value at an RFC 6901 pointer into the JSON payload; never the whole document. */
  record Json(JsonPointer pointer) implements ColumnSource {}

  /** The last header of that name, as UTF-8 text. */
  record Header(String name) implements ColumnSource {}

  /** A text that is the same for every event. */
  record Constant(String text) implements ColumnSource {}

  /** What needs no name. */
  enum Plain implements ColumnSource {
    /** The business key. */
    KEY,
    /** The record's timestamp. */
    TIMESTAMP,
    TOPIC,
    PARTITION,
    OFFSET,
    /** The whole payload, as its JSON document; for {@code bytea} byte for byte as it came. */
    PAYLOAD,
    /**
     * The whole payload where it is plain text; a JSON string in {@code json} and {@code jsonb}.
     */
    TEXT,
    /** The whole payload where it is no text at all: for {@code bytea} alone. */
    BYTES,
    /** All headers as JSON, in their order: {@code [{"name": "trace", "value": "a1"}]}. */
    HEADERS,
    /** When the transaction began, by the server's clock. */
    NOW
  }

  /**
   * @throws IllegalArgumentException where the text names no source; the message continues "VALUE"
   */
  static ColumnSource parse(String text) {
    Optional<Plain> plain = plain(text);
    if (plain.isPresent()) {
      return plain.get();
    }
    if (text.startsWith("json:")) {
      return new Json(pointer(text.substring("json:".length())));
    }
    if (text.startsWith("header:") && text.length() > "header:".length()) {
      return new Header(text.substring("header:".length()));
    }
    if (text.startsWith("constant:")) {
      return new Constant(text.substring("constant:".length()));
    }
    throw new IllegalArgumentException(
        "is no source of a column; use json:/pointer, header:NAME, key, timestamp, topic, partition,"
            + " offset, payload, headers, constant:TEXT or now");
  }

  private static Optional<Plain> plain(String text) {
    return switch (text) {
      case "key" -> Optional.of(Plain.KEY);
      case "timestamp" -> Optional.of(Plain.TIMESTAMP);
      case "topic" -> Optional.of(Plain.TOPIC);
      case "partition" -> Optional.of(Plain.PARTITION);
      case "offset" -> Optional.of(Plain.OFFSET);
      case "payload" -> Optional.of(Plain.PAYLOAD);
      case "headers" -> Optional.of(Plain.HEADERS);
      case "now" -> Optional.of(Plain.NOW);
      default -> Optional.empty();
    };
  }

  private static JsonPointer pointer(String text) {
    if (!text.startsWith("/") || text.matches(".*~(?![01]).*")) {
      throw new IllegalArgumentException(
          "holds no JSON pointer; use one such as json:/order/id (RFC 6901), or payload for the"
              + " whole document");
    }
    return JsonPointer.compile(text);
  }
}
