package dev.ingest.pipeline;

import dev.ingest.event.TopicPartition;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;

/**
 * Where events come from: a member of a consumer group. Owned by one thread, which makes every
 * call.
 */
public interface EventSource extends AutoCloseable {

  /** Told of assignment changes from within {@link #poll} and {@link #close}. */
  interface Listener {
    /** The partitions are newly ours; empty where a rebalance ended and gave us none. */
    void assigned(Collection<TopicPartition> partitions);

    /** The partitions are ours until this returns: offsets may still be committed. */
    void revoked(Collection<TopicPartition> partitions);

    /** The partitions are somebody else's already: nothing may be committed. */
    void lost(Collection<TopicPartition> partitions);
  }

  /**
   * Joins the group.
   *
   * @throws dev.ingest.event.IngestException where a topic is missing or the broker refuses us
   */
  void subscribe(Listener listener);

  /**
   * Returns what is ready, waiting up to {@code timeout} for something. Must be called often, or
   * the group takes the partitions away. A broker that is away is no error: nothing is returned.
   *
   * @throws dev.ingest.event.IngestException where going on is impossible: offsets out of range,
   *     access refused
   */
  Polled poll(Duration timeout);

  /** Stops fetching from all partitions that are assigned now, not from later ones; idempotent. */
  void pauseAll();

  /** Fetches from all assigned partitions again. */
  void resumeAll();

  /**
   * How many offsets of each assigned partition lie between what {@link #poll} reads next and the
   * partition's end, as far as it is readable; zero once all is read. Partitions of which this is
   * not known yet are absent. Answers from memory; only where all has been paused for long does it
   * ask the broker, for half a second at most. A source that can't tell leaves this as it is.
   */
  default Map<TopicPartition, Long> unread() {
    return Map.of();
  }

  /**
   * Commits offsets in the background.
   *
   * @param nextOffsets for each partition the offset after the last event that is done
   * @param acknowledged called from a later {@link #poll} or {@link #close} once the broker has
   *     stored them; not called where it refused, the next commit then covers them
   */
  void commit(Map<TopicPartition, Long> nextOffsets, Runnable acknowledged);

  /**
   * Commits offsets and waits.
   *
   * @return whether the broker has stored them; a refusal loses nothing, the events come again
   */
  boolean commitNow(Map<TopicPartition, Long> nextOffsets, Duration timeout);

  /** Leaves the group within the deadline. Idempotent. */
  void close(Duration timeout);

  @Override
  default void close() {
    close(Duration.ofSeconds(5));
  }
}
