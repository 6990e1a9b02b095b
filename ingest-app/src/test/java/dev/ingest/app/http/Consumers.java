package dev.ingest.app.http;

import dev.ingest.pipeline.IngestConsumer.State;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.plan.FaultKind;
import java.time.Instant;
import java.time.InstantSource;

/** Statuses of consumers, for tests. */
final class Consumers {
  static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

  private Consumers() {}

  static ConsumerWatch watch(String name) {
    return new ConsumerWatch(name, InstantSource.fixed(NOW));
  }

  /** As a running consumer tells it, both loops having turned just now. */
  static ConsumerStatus running(ConsumerWatch watch) {
    return watch.status(State.RUNNING, NOW, NOW);
  }

  static StoreFault diskFull() {
    return new StoreFault(FaultKind.ENVIRONMENT, "53100", "could not extend file", null);
  }
}
