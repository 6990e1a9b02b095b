package dev.ingest.pipeline;

import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import java.util.List;
import java.util.Map;

/**
 * What one poll returned.
 *
 * @param events in the order of their partition's offsets
 * @param positions for each partition that moved, the offset that the source reads next; past
 *     control records, which are no events
 */
public record Polled(List<Event> events, Map<TopicPartition, Long> positions) {
  public static final Polled NOTHING = new Polled(List.of(), Map.of());

  public Polled {
    events = List.copyOf(events);
    positions = Map.copyOf(positions);
  }
}
