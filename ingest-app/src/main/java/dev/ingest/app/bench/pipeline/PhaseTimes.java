package dev.ingest.app.bench.pipeline;

import dev.ingest.app.bench.Percentiles;
import dev.ingest.pipeline.WriteOutcome.Phases;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** How long the phases of transactions took, each of its events counted. Single-threaded. */
final class PhaseTimes {
  private final Percentiles lock = new Percentiles();
  private final Percentiles insert = new Percentiles();
  private final Percentiles commit = new Percentiles();

  void add(int events, Phases took) {
    if (!took.equals(Phases.NONE)) {
      lock.add(millis(took.lock()), events);
      insert.add(millis(took.insert()), events);
      commit.add(millis(took.commit()), events);
    }
  }

  private static double millis(Duration took) {
    return took.toNanos() / 1e6;
  }

  /** Empty where no transaction told. */
  Map<String, Double> percentiles() {
    Map<String, Double> values = new LinkedHashMap<>();
    if (!commit.isEmpty()) {
      put(values, "lock", lock);
      put(values, "insert", insert);
      put(values, "commit", commit);
    }
    return values;
  }

  private static void put(Map<String, Double> values, String name, Percentiles of) {
    values.put(name + "_p50_ms", of.at(0.5));
    values.put(name + "_p99_ms", of.at(0.99));
  }
}
