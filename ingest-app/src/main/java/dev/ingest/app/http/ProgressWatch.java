package dev.ingest.app.http;

import dev.ingest.event.TopicPartition;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Since when each partition of a consumer is behind and does not get on, without a reason that is
 * known. A fault of the store that was told is such a reason, and so is a batch of many
 * transactions that goes on. Its owner guards it.
 */
final class ProgressWatch {
  /** An older word on the lag of a partition says nothing any more. */
  private static final Duration LAG_HOLDS = Duration.ofSeconds(15);

  private final Map<TopicPartition, Long> nextOffsets = new HashMap<>();
  private final Map<TopicPartition, Instant> behindSince = new TreeMap<>();
  private Instant lastLag = Instant.EPOCH;
  private Instant lastApplied = Instant.EPOCH;
  private Instant lastBatch = Instant.EPOCH;

  void progress(Map<TopicPartition, Long> told, Instant now) {
    told.forEach(
        (partition, nextOffset) -> {
          if (!nextOffset.equals(nextOffsets.put(partition, nextOffset))) {
            behindSince.computeIfPresent(partition, (same, since) -> now);
          }
        });
  }

  /** Partitions that are absent are not known to be behind. */
  void lag(Map<TopicPartition, Long> events, Instant now) {
    lastLag = now;
    behindSince.keySet().removeIf(partition -> events.getOrDefault(partition, 0L) == 0);
    events.forEach(
        (partition, lag) -> {
          if (lag > 0) {
            behindSince.putIfAbsent(partition, now);
          }
        });
  }

  /** A transaction is committed. */
  void applied(Instant now) {
    lastApplied = now;
  }

  /** A batch is done: what waits in other partitions comes next. */
  void batchDone(Instant now) {
    lastBatch = now;
  }

  /** It is known why nothing gets on up to now. */
  void explained(Instant now) {
    behindSince.replaceAll((partition, since) -> now);
  }

  void forget(Collection<TopicPartition> partitions) {
    nextOffsets.keySet().removeAll(partitions);
    behindSince.keySet().removeAll(partitions);
  }

  /** Partitions that stand still, and since when. */
  SortedMap<TopicPartition, Instant> standing(Instant now) {
    SortedMap<TopicPartition, Instant> standing = new TreeMap<>();
    if (Duration.between(lastLag, now).compareTo(LAG_HOLDS) > 0) {
      return standing;
    }
    behindSince.forEach(
        (partition, since) -> {
          boolean sameBatch = lastBatch.isBefore(since);
          standing.put(partition, sameBatch && lastApplied.isAfter(since) ? lastApplied : since);
        });
    return standing;
  }
}
