package dev.ingest.app.verify;

import dev.ingest.event.TopicPartition;
import dev.ingest.kafka.DeadLetterPlace;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which offsets were sent to the dead-letter topic, on which route. Takes a bit for each offset of
 * those blocks alone that hold one: 8 KiB for a lone letter, one byte for eight where all are
 * letters. Single-threaded.
 */
final class Letters {
  private static final int BLOCK_BITS = 16;
  private static final int IN_BLOCK = (1 << BLOCK_BITS) - 1;

  /** Stands for the route of a letter that names none; no route's own name is empty. */
  private static final String UNNAMED = "";

  private final Map<TopicPartition, Map<String, Map<Long, BitSet>>> blocks = new HashMap<>();

  void add(DeadLetterPlace place) {
    blocks
        .computeIfAbsent(place.partition(), partition -> new HashMap<>())
        .computeIfAbsent(
            Objects.requireNonNullElse(place.route(), UNNAMED), route -> new HashMap<>())
        .computeIfAbsent(place.offset() >>> BLOCK_BITS, block -> new BitSet())
        .set((int) (place.offset() & IN_BLOCK));
  }

  /**
   * @param route null for any; a letter that names no route counts for each
   */
  boolean holds(@Nullable String route, TopicPartition partition, long offset) {
    Map<String, Map<Long, BitSet>> routes = blocks.getOrDefault(partition, Map.of());
    return routes.entrySet().stream()
        .filter(
            each -> route == null || each.getKey().equals(route) || each.getKey().equals(UNNAMED))
        .anyMatch(each -> holds(each.getValue(), offset));
  }

  private static boolean holds(Map<Long, BitSet> blocks, long offset) {
    BitSet block = blocks.get(offset >>> BLOCK_BITS);
    return block != null && block.get((int) (offset & IN_BLOCK));
  }
}
