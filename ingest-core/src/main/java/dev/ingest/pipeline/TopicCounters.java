package dev.ingest.pipeline;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Counters of one topic. Once nothing is pending, {@code polled - released = inserted + duplicate +
 * parked + skipped}.
 */
record TopicCounters(
    Counter polled,
    Counter released,
    Counter inserted,
    Counter duplicate,
    Counter parked,
    Counter skipped) {

  static TopicCounters register(MeterRegistry registry, String topic) {
    return new TopicCounters(
        IngestMeter.POLLED.counter(registry, topic),
        IngestMeter.RELEASED.counter(registry, topic),
        IngestMeter.EVENTS.counter(registry, topic, "inserted"),
        IngestMeter.EVENTS.counter(registry, topic, "duplicate"),
        IngestMeter.EVENTS.counter(registry, topic, "parked"),
        IngestMeter.EVENTS.counter(registry, topic, "skipped"));
  }
}
