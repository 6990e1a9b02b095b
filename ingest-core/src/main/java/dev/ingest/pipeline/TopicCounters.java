package dev.ingest.pipeline;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Counters of one topic on one route. Once nothing is pending, {@code polled - released = inserted
 * + duplicate + parked + skipped + deleted}.
 */
record TopicCounters(
    Counter polled,
    Counter released,
    Counter inserted,
    Counter duplicate,
    Counter parked,
    Counter skipped,
    Counter deleted) {

  static TopicCounters register(MeterRegistry registry, String route, String topic) {
    return new TopicCounters(
        IngestMeter.POLLED.counter(registry, route, topic),
        IngestMeter.RELEASED.counter(registry, route, topic),
        IngestMeter.EVENTS.counter(registry, route, topic, "inserted"),
        IngestMeter.EVENTS.counter(registry, route, topic, "duplicate"),
        IngestMeter.EVENTS.counter(registry, route, topic, "parked"),
        IngestMeter.EVENTS.counter(registry, route, topic, "skipped"),
        IngestMeter.EVENTS.counter(registry, route, topic, "deleted"));
  }
}
