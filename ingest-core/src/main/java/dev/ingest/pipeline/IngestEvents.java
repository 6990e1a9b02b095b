package dev.ingest.pipeline;

import dev.ingest.event.TopicPartition;
import dev.ingest.plan.Chunk;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Told of everything that happens to events: meters, logs and tests hang here. Called from both
 * threads of a consumer; implementations are thread-safe, quick and never throw.
 *
 * <p>An event counts once for each route that takes its topic, everywhere. Per route and topic,
 * {@code polled - released} equals the sum of applied, parked and skipped events once nothing is
 * pending. A listener that does not tell routes apart implements the methods without one.
 */
public interface IngestEvents {

  /** Listens to nothing. */
  IngestEvents NONE = new IngestEvents() {};

  /**
   * Events of a topic came in from the source. Told with none when the topic is assigned, so that
   * counters exist from then on.
   */
  default void polled(String route, String topic, int events) {
    polled(topic, events);
  }

  /** The same on any route. */
  default void polled(String topic, int events) {}

  /**
   * Events were let go unwritten, because their partition went to another consumer: from the
   * polling thread those that waited, from the writing one those of a batch that deletes.
   */
  default void released(String route, String topic, int events) {
    released(topic, events);
  }

  /** The same on any route. */
  default void released(String topic, int events) {}

  /** A transaction is committed. Retried transactions are told once. */
  default void applied(Chunk chunk, WriteOutcome.Applied applied, Instant at) {}

  /** Events were kept elsewhere than in the store, and count as parked. */
  default void deadLettered(String route, String topic, int events) {
    deadLettered(topic, events);
  }

  /** The same on any route. */
  default void deadLettered(String topic, int events) {}

  /** Events were passed over by a rule the user wrote. */
  default void skipped(String route, String topic, int events) {
    skipped(topic, events);
  }

  /** The same on any route. */
  default void skipped(String topic, int events) {}

  /** A batch is done: every event of it is stored, already there, parked or skipped. */
  default void batchDone(int events, Duration took) {}

  /** A transaction is tried again after {@code delay}. */
  default void retrying(StoreFault fault, int attempt, Duration delay) {}

  /** Writing stands still until the environment is mended; polling goes on. */
  default void paused(StoreFault fault) {}

  /** Writing goes on after a pause. */
  default void resumed(Duration pausedFor) {}

  /** Partitions are newly ours; empty where the group gave us none for now. */
  default void assigned(Collection<TopicPartition> partitions) {}

  default void revoked(Collection<TopicPartition> partitions, boolean drained) {}

  default void lost(Collection<TopicPartition> partitions) {}

  /**
   * How far each partition is behind, told about once a second while the consumer polls.
   *
   * @param events for each partition of ours where it is known: events up to the partition's end
   *     that are not done, read or not
   */
  default void lag(Map<TopicPartition, Long> events) {}

  /**
   * How far each partition is done, told just before {@link #lag}.
   *
   * @param nextOffsets for each partition of ours the offset after the last event that is done;
   *     absent until one is
   */
  default void progress(Map<TopicPartition, Long> nextOffsets) {}

  /** The broker has stored these offsets. */
  default void offsetsCommitted(Map<TopicPartition, Long> nextOffsets, Duration took) {}

  /** The consumer stopped for good; a person must act. */
  default void failed(Throwable cause) {}

  /** Tells all of them, in order. */
  static IngestEvents all(List<IngestEvents> listeners) {
    return new FanOut(List.copyOf(listeners));
  }
}
