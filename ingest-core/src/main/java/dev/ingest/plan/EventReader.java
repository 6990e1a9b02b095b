package dev.ingest.plan;

import dev.ingest.event.Event;

/** Takes the business key out of an event. Implementations are thread-safe and never throw. */
@FunctionalInterface
public interface EventReader {
  Reading read(Event event);
}
