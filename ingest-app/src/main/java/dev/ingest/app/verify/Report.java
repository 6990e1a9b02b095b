package dev.ingest.app.verify;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
   * One partition on one route; offsets from {@code from}, inclusive, to {@code to}, exclusive,
   * were looked at.
   */
  public record PartitionReport(
      String topic, int partition, String route, long from, long to, long end, Counts counts) {
    /** Offsets that the group has still to read. */
    public long lag() {
      return Math.max(0, end - to);
    }
  }

  /**
   * Events by what became of them. An event counts once, as the first of these that holds: its row
   * is in the target, a rule passed it over, it is parked or discarded, a dead letter tells of it;
   * else it is missing.
   *
   * @param missingOffsets the first few of the missing ones
   */
  public record Counts(
      long events,
      long stored,
      long parked,
      long deadLettered,
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

  /** Offsets to be read; a partition counts once, however many routes it takes. */
  public long lag() {
    Map<String, Long> lags = new HashMap<>();
    partitions.forEach(each -> lags.put(each.topic() + "-" + each.partition(), each.lag()));
    return lags.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Whether every offset is accounted for and no key is there twice. */
  public boolean holds() {
    return missing() == 0 && keysTwice == 0;
  }
}
