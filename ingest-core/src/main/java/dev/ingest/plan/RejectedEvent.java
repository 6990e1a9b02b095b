package dev.ingest.plan;

import dev.ingest.event.Event;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event that can't be stored, with the reason in words that hold no row value.
 *
 * @param sqlState the server's SQLSTATE, null where the event was refused before any SQL
 * @param constraint the constraint it breaks, where the server named one
 * @param column the column at fault, where it is known
 */
public record RejectedEvent(
    Event event,
    String reason,
    @Nullable String sqlState,
    @Nullable String constraint,
    @Nullable String column) {
  public RejectedEvent {
    Objects.requireNonNull(event, "event");
    Objects.requireNonNull(reason, "reason");
  }

  /** An event that is larger than a batch may be. Its size is not told, so that causes are few. */
  public static RejectedEvent tooLarge(Event reference) {
    return unreadable(
        reference,
        "larger than a batch may be; its content is in Kafka alone, at this topic, partition and"
            + " offset");
  }

  /** An event refused before any SQL. */
  public static RejectedEvent unreadable(Event event, String reason) {
    return new RejectedEvent(event, reason, null, null, null);
  }
}
