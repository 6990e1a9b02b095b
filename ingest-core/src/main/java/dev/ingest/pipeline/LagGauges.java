package dev.ingest.pipeline;

import dev.ingest.event.TopicPartition;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One gauge for each partition that is ours, from the moment its lag is known until it leaves.
 * Thread-safe.
 */
final class LagGauges {
  private record Entry(Gauge gauge, AtomicLong lag) {}

  private final MeterRegistry registry;

  // guarded by this
  private final Map<TopicPartition, Entry> entries = new HashMap<>();

  LagGauges(MeterRegistry registry) {
    this.registry = registry;
  }

  synchronized void set(Map<TopicPartition, Long> lag) {
    lag.forEach(
        (partition, events) -> entries.computeIfAbsent(partition, this::register).lag.set(events));
  }

  private Entry register(TopicPartition partition) {
    AtomicLong lag = new AtomicLong();
    return new Entry(
        IngestMeter.LAG.gauge(
            registry, lag, partition.topic(), Integer.toString(partition.partition())),
        lag);
  }

  synchronized void remove(Collection<TopicPartition> partitions) {
    for (TopicPartition partition : partitions) {
      Entry gone = entries.remove(partition);
      if (gone != null) {
        registry.remove(gone.gauge);
      }
    }
  }
}
