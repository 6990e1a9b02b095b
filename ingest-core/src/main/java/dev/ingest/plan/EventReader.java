package dev.ingest.plan;

import dev.ingest.event.Event;

/**
 * Takes the business key out of an event. Implementations are thread-safe. They throw only where
 * something that reading needs is away; the call may then be made again.
 */
@FunctionalInterface
public interface EventReader {
  Reading read(Event event);

  /** Whether it takes some events for orders to delete a row, so that the order of all counts. */
  default boolean deletes() {
    return false;
  }

  /** A reading with what to say of deletions: one that wraps another says what that one does. */
  static EventReader telling(boolean deletes, EventReader reading) {
    return new EventReader() {
      @Override
      public Reading read(Event event) {
        return reading.read(event);
      }

      @Override
      public boolean deletes() {
        return deletes;
      }
    };
  }
}
