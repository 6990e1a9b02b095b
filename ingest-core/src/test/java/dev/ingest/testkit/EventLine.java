package dev.ingest.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes events of one partition, one offset after the other. Single-threaded. */
public final class EventLine {
  private static final long TIMESTAMP = 1_700_000_000_123L;

  private final TopicPartition partition;
  private long nextOffset;

  private EventLine(TopicPartition partition) {
    this.partition = partition;
  }

  public static EventLine on(String topic, int partition) {
    return new EventLine(new TopicPartition(topic, partition));
  }

  /** Goes on at this offset. */
  public EventLine from(long offset) {
    nextOffset = offset;
    return this;
  }

  /** One good event for each key. */
  public List<Event> keys(String... keys) {
    return Stream.of(keys).map(key -> event(key, "{\"n\": 1}")).toList();
  }

  public Event event(String key, String value) {
    return event(key.getBytes(UTF_8), value.getBytes(UTF_8));
  }

  public Event event(byte @Nullable [] key, byte @Nullable [] value) {
    return new Event(partition, nextOffset++, TIMESTAMP, key, value, List.of());
  }

  public Event withoutKey() {
    return event(null, "{}".getBytes(UTF_8));
  }

  /** An event that PostgreSQL refuses: its value is no JSON (22P02). */
  public Event bad(String key) {
    return event(key, "no json");
  }
}
