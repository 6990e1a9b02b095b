package dev.ingest.app.verify;

import dev.ingest.event.TopicPartition;
import dev.ingest.kafka.DeadLetterPlace;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Which offsets were sent to the dead-letter topic. Takes a bit for each offset of those blocks
 * alone that hold one: 8 KiB for a lone letter, one byte for eight where all are letters.
 * Single-threaded.
 */
final class Letters {
  private static final int BLOCK_BITS = 16;
  private static final int IN_BLOCK = (1 << BLOCK_BITS) - 1;

  private final Map<TopicPartition, Map<Long, BitSet>> blocks = new HashMap<>();

  void add(DeadLetterPlace place) {
    blocks
        .computeIfAbsent(place.partition(), partition -> new HashMap<>())
        .computeIfAbsent(place.offset() >>> BLOCK_BITS, block -> new BitSet())
        .set((int) (place.offset() & IN_BLOCK));
  }

  boolean holds(TopicPartition partition, long offset) {
    BitSet block = blocks.getOrDefault(partition, Map.of()).get(offset >>> BLOCK_BITS);
    return block != null && block.get((int) (offset & IN_BLOCK));
  }
}
