package dev.ingest.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import java.util.ArrayList;
import java.util.List;

/** Makes events, with ascending offsets of one partition. Single-threaded. */
public final class Events {
  private final TopicPartition partition;
  private long nextOffset;

  private Events(TopicPartition partition, long nextOffset) {
    this.partition = partition;
    this.nextOffset = nextOffset;
  }

  public static Events of(String topic, int partition) {
    return new Events(new TopicPartition(topic, partition), 0);
  }

  /** One event for each key, with a small JSON payload. */
  public List<Event> keys(String... keys) {
    return keys(List.of(keys));
  }

  /** One event for each key, with a small JSON payload. */
  public List<Event> keys(List<String> keys) {
    List<Event> events = new ArrayList<>();
    keys.forEach(key -> events.add(event(key, "{\"offset\":" + nextOffset + "}")));
    return events;
  }

  public Event event(String key, String json) {
    return new Event(
        partition,
        nextOffset++,
        1_700_000_000_000L,
        key.getBytes(UTF_8),
        json.getBytes(UTF_8),
        List.of());
  }
}
