package dev.ingest.postgres;

import dev.ingest.event.BusinessKey;
import dev.ingest.event.Event;
import org.jspecify.annotations.Nullable;

/** Takes the value of one column out of an event. Implementations are thread-safe. */
@FunctionalInterface
interface RowValue {
  /**
   * @return a String, Integer, Long or byte[], as the column's array type wants it; null for NULL
   * @throws UnfitValueException where the event holds nothing that the column could take
   */
  @Nullable Object of(BusinessKey key, Event event);
}
