package dev.ingest.plan;

import com.fasterxml.jackson.core.JsonPointer;
import dev.ingest.event.Event;
import dev.ingest.event.Header;
import dev.ingest.event.Utf8;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One place in an event from which the business key, or a part of it, is taken. Thread-safe. */
@FunctionalInterface
public interface KeyPart {

  /** The text at this place, or why there is none; neither is ever null. */
  Found find(Event event);

  /** What was found. */
  sealed interface Found {
    /** Text, perhaps empty. */
    record Text(String value) implements Found {}

    /** No text; {@code reason} holds no value. */
    record Nothing(String reason) implements Found {}
  }

  /** The record key, as UTF-8 text. */
  static KeyPart recordKey() {
    return event -> decode(event.key(), "the record key");
  }

  /** The last header of a name, as UTF-8 text. */
  static KeyPart header(String name) {
    Objects.requireNonNull(name, "name");
    return event -> {
      List<Header> headers = event.headers();
      for (int i = headers.size() - 1; i >= 0; i--) {
        if (headers.get(i).name().equals(name)) {
          return decode(headers.get(i).value(), "header " + name);
        }
      }
      return new Found.Nothing("the record has no header " + name);
    };
  }

  /**
   * The string, number or boolean at a JSON pointer (RFC 6901) into the value; numbers with the
   * digits they are written in.
   *
   * @throws IllegalArgumentException where the pointer is none
   */
  static KeyPart json(String pointer) {
    JsonPointer compiled = JsonPointer.compile(pointer);
    return event -> JsonText.at(event.document(), compiled);
  }

  private static Found decode(byte @Nullable [] bytes, String place) {
    if (bytes == null) {
      return new Found.Nothing(place + " is absent");
    }
    String text = Utf8.decode(bytes, 0, bytes.length);
    return text == null ? new Found.Nothing(place + " is not valid UTF-8") : new Found.Text(text);
  }
}
