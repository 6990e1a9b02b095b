package dev.ingest.event;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A record header as Kafka carries it. Names may repeat within an event; a value may be absent. The
 * array is the record's own and is not copied: treat it as read-only.
 */
@SuppressWarnings("ArrayRecordComponent") // headers are carried through, never compared
public record Header(String name, byte @Nullable [] value) {
  public Header {
    Objects.requireNonNull(name, "name");
  }
}
