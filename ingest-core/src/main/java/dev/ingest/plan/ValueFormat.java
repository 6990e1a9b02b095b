package dev.ingest.plan;

import dev.ingest.event.Event;
import java.util.Objects;

/**
 * Makes the JSON document that keys and columns read out of a record's value. Implementations are
 * thread-safe. They run outside of any transaction, on the thread that writes, and throw only where
 * something that decoding needs is away; the call may then be made again.
 */
@FunctionalInterface
public interface ValueFormat {
  Decoded decode(Event event);

  /** What decoding led to. */
  sealed interface Decoded {
    /** The event with its document. */
    record Readable(Event event) implements Decoded {}

    /** The value is not in the format; {@code reason} holds nothing of it. */
    record Unreadable(String reason) implements Decoded {}

    /** A rule the user wrote passes the event over. */
    record PassedOver() implements Decoded {}
  }

  /** The value is the document. */
  static ValueFormat asItIs() {
    return Decoded.Readable::new;
  }

  /** A format whose documents are decoded once more. */
  default ValueFormat then(ValueFormat inner) {
    Objects.requireNonNull(inner, "inner");
    return event -> {
      Decoded outer = decode(event);
      return outer instanceof Decoded.Readable readable ? inner.decode(readable.event()) : outer;
    };
  }

  /** Decodes events and then takes the key out of them. */
  default EventReader before(EventReader keys) {
    Objects.requireNonNull(keys, "keys");
    return EventReader.telling(
        keys.deletes(),
        event -> {
          Decoded decoded = decode(event);
          if (decoded instanceof Decoded.Readable readable) {
            return keys.read(readable.event());
          }
          return decoded instanceof Decoded.Unreadable unreadable
              ? new Reading.Rejected(unreadable.reason())
              : new Reading.Skipped();
        });
  }
}
