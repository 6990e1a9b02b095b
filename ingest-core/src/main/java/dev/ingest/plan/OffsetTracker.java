package dev.ingest.plan;

import dev.ingest.event.TopicPartition;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which offset of each assigned partition may be committed. The offset handed out never passes an
 * event that is polled and not yet done: that is the promise the whole pipeline stands on.
 *
 * <p>Single-threaded: the owner guards it. Events of a partition are done in the order they were
 * polled.
 */
public final class OffsetTracker {
  private static final long NONE = -1;

  private static final class Progress {
    /** Polled and not done. */
    private long pending;

    /** Where the source reads next, past control records and compacted gaps. */
    private long position = NONE;

    /** What may be committed; {@code NONE} until the first event is done. */
    private long nextOffset = NONE;

    private long committed = NONE;
  }

  private final Map<TopicPartition, Progress> partitions = new HashMap<>();

  /** Starts partitions afresh; nothing is known of them yet. */
  public void assign(Collection<TopicPartition> assigned) {
    assigned.forEach(partition -> partitions.put(partition, new Progress()));
  }

  /** Forgets partitions that are no longer ours, with what was pending in them. */
  public void drop(Collection<TopicPartition> gone) {
    gone.forEach(partitions::remove);
  }

  /** Whether the partition is ours. */
  public boolean isAssigned(TopicPartition partition) {
    return partitions.containsKey(partition);
  }

  /**
   * Records a fetch.
   *
   * @param events events of the partition now pending, may be 0 where only control records were
   *     read
   * @param position offset that the source reads next
   */
  public void polled(TopicPartition partition, int events, long position) {
    Progress progress = partitions.get(partition);
    if (progress == null) {
      throw new IllegalStateException("Polled " + partition + ", which is not assigned.");
    }
    progress.pending += events;
    progress.position = position;
    if (progress.pending == 0) {
      progress.nextOffset = position;
    }
  }

  /**
   * Records that the oldest pending events are done: stored, already there, parked or skipped. Of
   * no effect for a partition that is not ours any more.
   *
   * @param lastOffset offset of the last of them, inclusive
   */
  public void done(TopicPartition partition, int events, long lastOffset) {
    Progress progress = partitions.get(partition);
    if (progress == null) {
      return;
    }
    if (events > progress.pending) {
      throw new IllegalStateException(
          events + " events of " + partition + " done, pending=" + progress.pending);
    }
    progress.pending -= events;
    progress.nextOffset = progress.pending == 0 ? progress.position : lastOffset + 1;
  }

  /** Offsets that may be committed and are not yet, by partition. */
  public SortedMap<TopicPartition, Long> uncommitted() {
    SortedMap<TopicPartition, Long> result = new TreeMap<>();
    partitions.forEach(
        (partition, progress) -> {
          if (progress.nextOffset != NONE && progress.nextOffset != progress.committed) {
            result.put(partition, progress.nextOffset);
          }
        });
    return result;
  }

  /** What may be committed of each partition, committed or not; absent until something is done. */
  public Map<TopicPartition, Long> nextOffsets() {
    Map<TopicPartition, Long> result = new HashMap<>();
    partitions.forEach(
        (partition, progress) -> {
          if (progress.nextOffset != NONE) {
            result.put(partition, progress.nextOffset);
          }
        });
    return result;
  }

  /** Records offsets that the broker has acknowledged. */
  public void committed(Map<TopicPartition, Long> offsets) {
    offsets.forEach(
        (partition, nextOffset) -> {
          Progress progress = partitions.get(partition);
          if (progress != null) {
            progress.committed = Math.max(progress.committed, nextOffset);
          }
        });
  }

  /** Events polled and not done, over all partitions. */
  public long pending() {
    return partitions.values().stream().mapToLong(progress -> progress.pending).sum();
  }

  /** Events of the partition polled and not done; 0 where it is not ours. */
  public long pending(TopicPartition partition) {
    Progress progress = partitions.get(partition);
    return progress == null ? 0 : progress.pending;
  }

  /** Whether the partition has events that are polled and not done. */
  public boolean isPending(TopicPartition partition) {
    return pending(partition) > 0;
  }
}
