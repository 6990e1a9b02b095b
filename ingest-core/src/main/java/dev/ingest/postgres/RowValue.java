package dev.ingest.postgres;

import dev.ingest.event.BusinessKey;
import dev.ingest.event.Event;
import dev.ingest.mapping.Fields;
import org.jspecify.annotations.Nullable;

/** Takes the value of one column out of an event. Implementations are thread-safe. */
@FunctionalInterface
interface RowValue {
  /** The event says nothing of the column: its default applies. */
  Object ABSENT = new Object();

  /**
   * @param fields what the event's JSON holds at the target's pointers
   * @return a String, Integer, Long or byte[], as the column's array type wants it; null for NULL;
   *     or {@link #ABSENT}
   * @throws dev.ingest.mapping.UnfitValueException where the event holds nothing that the column
   *     could take
   */
  @Nullable Object of(BusinessKey key, Event event, Fields fields);
}
