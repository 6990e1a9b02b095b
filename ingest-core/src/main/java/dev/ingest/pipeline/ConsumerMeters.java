package dev.ingest.pipeline;

import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.KeyGroup;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Tells the process's meters what one consumer does. Thread-safe. */
final class ConsumerMeters implements IngestEvents {
  private final IngestMeters meters;
  private final AtomicBoolean paused = new AtomicBoolean();

  ConsumerMeters(IngestMeters meters) {
    this.meters = meters;
  }

  @Override
  public void polled(String route, String topic, int events) {
    meters.counters(route, topic).polled().increment(events);
  }

  @Override
  public void released(String route, String topic, int events) {
    meters.counters(route, topic).released().increment(events);
  }

  @Override
  public void applied(Chunk chunk, WriteOutcome.Applied applied, Instant at) {
    TopicCounters counters = meters.counters(chunk.route(), chunk.topic());
    counters.inserted().increment(applied.inserted());
    counters.duplicate().increment(applied.duplicates());
    counters.parked().increment(applied.parked());
    counters.deleted().increment(applied.deleted());
    if (!applied.phases().equals(WriteOutcome.Phases.NONE)) {
      phases(applied.phases());
    }
    latency(chunk, at.toEpochMilli());
  }

  private void phases(WriteOutcome.Phases took) {
    meters.phases().lock().record(took.lock());
    meters.phases().insert().record(took.insert());
    meters.phases().commit().record(took.commit());
    meters.lockWait().record(took.lock());
  }

  /** A record's clock may be ahead of ours: that counts as no time at all. */
  private void latency(Chunk chunk, long atMillis) {
    Timer latency = meters.latency();
    for (KeyGroup group : chunk.groups()) {
      for (Event event : group.events()) {
        if (event.timestampMillis() >= 0) {
          latency.record(Math.max(0, atMillis - event.timestampMillis()), TimeUnit.MILLISECONDS);
        }
      }
    }
  }

  @Override
  public void deadLettered(String route, String topic, int events) {
    meters.counters(route, topic).parked().increment(events);
  }

  @Override
  public void skipped(String route, String topic, int events) {
    meters.counters(route, topic).skipped().increment(events);
  }

  @Override
  public void batchDone(int events, Duration took) {
    meters.batchEvents().record(events);
  }

  @Override
  public void retrying(StoreFault fault, int attempt, Duration delay) {
    String sqlState = fault.sqlState();
    meters.retries(sqlState == null ? "none" : sqlState).increment();
  }

  @Override
  public void paused(StoreFault fault) {
    if (!paused.getAndSet(true)) {
      meters.paused().incrementAndGet();
    }
  }

  @Override
  public void resumed(Duration pausedFor) {
    endPause();
  }

  private void endPause() {
    if (paused.getAndSet(false)) {
      meters.paused().decrementAndGet();
    }
  }

  @Override
  public void revoked(Collection<TopicPartition> partitions, boolean drained) {
    meters.lag().remove(partitions);
  }

  @Override
  public void lost(Collection<TopicPartition> partitions) {
    meters.lag().remove(partitions);
  }

  @Override
  public void lag(Map<TopicPartition, Long> events) {
    meters.lag().set(events);
  }

  @Override
  public void offsetsCommitted(Map<TopicPartition, Long> nextOffsets, Duration took) {
    meters.phases().offsets().record(took);
  }

  @Override
  public void failed(Throwable cause) {
    endPause();
    meters.failed().incrementAndGet();
  }
}
