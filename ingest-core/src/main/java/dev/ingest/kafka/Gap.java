package dev.ingest.kafka;

import dev.ingest.event.TopicPartition;
import java.util.Objects;

/**
 * The offset that a group reads next is not in the partition any more: retention or a deletion has
 * gone past it, or the partition is shorter than it was, because the topic was made again or a
 * replica that lagged behind took over. Immutable.
 *
 * @param nextOffset what the group would read next
 * @param logStart first offset that is there
 * @param logEnd offset after the last one that is there
 */
public record Gap(TopicPartition partition, long nextOffset, long logStart, long logEnd) {
  public Gap {
    Objects.requireNonNull(partition, "partition");
  }

  /** Offsets that are gone unread, at most one record each; 0 where the partition is shorter. */
  public long gone() {
    return Math.max(0, logStart - nextOffset);
  }

  /** Names and numbers, without a full stop. */
  @Override
  public String toString() {
    String where =
        partition + " nextOffset=" + nextOffset + " logStart=" + logStart + " logEnd=" + logEnd;
    return gone() > 0
        ? where + " gone=" + gone()
        : where + " (the topic was made again or cut short)";
  }
}
