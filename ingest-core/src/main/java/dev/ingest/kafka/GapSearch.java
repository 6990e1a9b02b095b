package dev.ingest.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Finds every assigned partition that no longer holds the offset that is read next; the client
 * itself tells one at a time.
 */
final class GapSearch {
  private static final Duration POSITION_TIMEOUT = Duration.ofMillis(100);
  private static final Duration RANGE_TIMEOUT = Duration.ofSeconds(5);

  private GapSearch() {}

  /**
   * @return gaps by partition
   * @throws org.apache.kafka.common.errors.RetriableException where the broker does not answer
   */
  static List<Gap> among(
      Consumer<?, ?> consumer, Function<TopicPartition, dev.ingest.event.TopicPartition> ours) {
    Map<TopicPartition, Long> positions = positions(consumer);
    Map<TopicPartition, Long> starts = consumer.beginningOffsets(positions.keySet(), RANGE_TIMEOUT);
    Map<TopicPartition, Long> ends = consumer.endOffsets(positions.keySet(), RANGE_TIMEOUT);
    List<Gap> gaps = new ArrayList<>();
    positions.forEach(
        (partition, next) -> {
          long start = starts.getOrDefault(partition, 0L);
          long end = ends.getOrDefault(partition, Long.MAX_VALUE);
          if (next < start || next > end) {
            gaps.add(new Gap(ours.apply(partition), next, start, end));
          }
        });
    gaps.sort(Comparator.comparing(Gap::partition));
    return gaps;
  }

  private static Map<TopicPartition, Long> positions(Consumer<?, ?> consumer) {
    Map<TopicPartition, Long> positions = new HashMap<>();
    for (TopicPartition partition : consumer.assignment()) {
      try {
        positions.put(partition, consumer.position(partition, POSITION_TIMEOUT));
      } catch (TimeoutException | InvalidOffsetException notKnown) {
        // A partition of which nothing is known yet has no gap yet.
      }
    }
    return positions;
  }
}
