package dev.ingest.app.http;

import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.IngestConsumer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One consumer at one moment. Immutable.
 *
 * @param pause the fault for which writing stands still, empty while it goes on
 * @param joined whether the group has told which partitions are this consumer's, even if none
 * @param partitions partitions of this consumer, with the events of each that are not done; empty
 *     where that is not known yet
 * @param standing partitions that are behind and do not get on for no known reason, and since when
 * @param lastPoll when the polling thread last ended a turn
 * @param lastWrite when the writing thread last ended a step or was seen waiting for work
 * @param lastCommit when the database last committed a transaction; {@link Instant#EPOCH} for never
 * @param topics counts since the start, by topic
 * @param faults the latest faults, newest first
 */
public record ConsumerStatus(
    String name,
    IngestConsumer.State state,
    Optional<FaultNote> pause,
    boolean joined,
    SortedMap<TopicPartition, Optional<Long>> partitions,
    SortedMap<TopicPartition, Instant> standing,
    Instant lastPoll,
    Instant lastWrite,
    Instant lastCommit,
    Map<String, TopicCounts> topics,
    List<FaultNote> faults) {
  public ConsumerStatus {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(pause, "pause");
    partitions = new TreeMap<>(partitions);
    standing = new TreeMap<>(standing);
    topics = Map.copyOf(topics);
    faults = List.copyOf(faults);
  }
}
