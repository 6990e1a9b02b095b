package dev.ingest.app.bench.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One run of one contestant. Immutable.
 *
 * @param load what it had to do, or at what setting; empty where there is only one
 * @param round from 1; 0 for a median over rounds
 * @param values by the names of metrics; what was not measured is not there
 */
public record Sample(String contestant, String load, int round, Map<String, Double> values) {
  public Sample {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  double value(String metric) {
    return values.getOrDefault(metric, Double.NaN);
  }
}
