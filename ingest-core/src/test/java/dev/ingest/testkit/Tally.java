package dev.ingest.testkit;

import dev.ingest.pipeline.IngestEvents;
import dev.ingest.pipeline.WriteOutcome.Applied;
import dev.ingest.plan.Chunk;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Counts events by topic and outcome, to hold them against what was sent. Thread-safe. */
public final class Tally implements IngestEvents {
  /** Sums over all topics. */
  public record Totals(
      long polled, long inserted, long duplicates, long parked, long skipped, long deleted) {
    /** Without deletions. */
    public Totals(long polled, long inserted, long duplicates, long parked, long skipped) {
      this(polled, inserted, duplicates, parked, skipped, 0);
    }

    public long accounted() {
      return inserted + duplicates + parked + skipped + deleted;
    }
  }

  private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();

  private void add(String what, long events) {
    counts.computeIfAbsent(what, name -> new AtomicLong()).addAndGet(events);
  }

  private long get(String what) {
    return counts.getOrDefault(what, new AtomicLong()).get();
  }

  public Totals totals() {
    return new Totals(
        get("polled"),
        get("inserted"),
        get("duplicates"),
        get("parked"),
        get("skipped"),
        get("deleted"));
  }

  @Override
  public void polled(String topic, int events) {
    add("polled", events);
  }

  @Override
  public void released(String topic, int events) {
    add("polled", -events);
  }

  @Override
  public void applied(Chunk chunk, Applied applied, Instant at) {
    add("inserted", applied.inserted());
    add("duplicates", applied.duplicates());
    add("parked", applied.parked());
    add("deleted", applied.deleted());
  }

  @Override
  public void deadLettered(String topic, int events) {
    add("parked", events);
  }

  @Override
  public void skipped(String topic, int events) {
    add("skipped", events);
  }

  @Override
  public void failed(Throwable cause) {
    cause.printStackTrace();
  }
}
