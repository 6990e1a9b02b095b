package dev.ingest.app.run;

import dev.ingest.pipeline.IngestEvents;
import dev.ingest.pipeline.WriteOutcome.Applied;
import dev.ingest.plan.Chunk;
import java.time.Instant;
import java.util.concurrent.atomic.LongAdder;

/** Counts events of this process by what became of them, over all topics. Thread-safe. */
public final class Counts implements IngestEvents {
  /** The counts at one moment; while events flow, {@code polled} runs ahead of the others. */
  public record Snapshot(
      long polled, long inserted, long duplicates, long parked, long skipped, long deleted) {
    /** Events of which it is known what became of them. */
    public long done() {
      return inserted + duplicates + parked + skipped + deleted;
    }
  }

  private final LongAdder polled = new LongAdder();
  private final LongAdder inserted = new LongAdder();
  private final LongAdder duplicates = new LongAdder();
  private final LongAdder parked = new LongAdder();
  private final LongAdder skipped = new LongAdder();
  private final LongAdder deleted = new LongAdder();

  public Snapshot snapshot() {
    return new Snapshot(
        polled.sum(), inserted.sum(), duplicates.sum(), parked.sum(), skipped.sum(), deleted.sum());
  }

  @Override
  public void polled(String topic, int events) {
    polled.add(events);
  }

  @Override
  public void released(String topic, int events) {
    polled.add(-events);
  }

  @Override
  public void applied(Chunk chunk, Applied applied, Instant at) {
    inserted.add(applied.inserted());
    duplicates.add(applied.duplicates());
    parked.add(applied.parked());
    deleted.add(applied.deleted());
  }

  @Override
  public void deadLettered(String topic, int events) {
    parked.add(events);
  }

  @Override
  public void skipped(String topic, int events) {
    skipped.add(events);
  }
}
