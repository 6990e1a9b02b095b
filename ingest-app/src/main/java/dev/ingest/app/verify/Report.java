package dev.ingest.app.verify;

import java.util.List;

/**
 * What a verification found. Immutable.
 *
 * @param keysTwice business keys that the target holds more than once
 */
public record Report(List<PartitionReport> partitions, long keysTwice) {
  public Report {
    partitions = List.copyOf(partitions);
  }

  /**
   * One partition; offsets from {@code from}, inclusive, to {@code to}, exclusive, were looked at.
   */
  public record PartitionReport(
      String topic, int partition, long from, long to, long end, Counts counts) {
    /** Offsets that the group has still to read. */
    public long lag() {
      return Math.max(0, end - to);
    }
  }

  /**
   * Events by what became of them. A missing event is neither in the target nor parked.
   *
   * @param missingOffsets the first few of the missing ones
   */
  public record Counts(
      long events,
      long stored,
      long parked,
      long skipped,
      long missing,
      List<Long> missingOffsets) {
    public Counts {
      missingOffsets = List.copyOf(missingOffsets);
    }
  }

  public long missing() {
    return partitions.stream().mapToLong(each -> each.counts().missing()).sum();
  }

  public long lag() {
    return partitions.stream().mapToLong(PartitionReport::lag).sum();
  }

  /** Whether every offset is accounted for and no key is there twice. */
  public boolean holds() {
    return missing() == 0 && keysTwice == 0;
  }
}
