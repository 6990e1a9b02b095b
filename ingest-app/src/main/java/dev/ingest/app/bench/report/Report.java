package dev.ingest.app.bench.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All that one measurement found. Immutable.
 *
 * @param scenario the command's name
 * @param question what it measures, one sentence
 * @param environment machine, versions and server settings
 * @param settings of this measurement
 * @param reference contestant whose value of the first metric counts as 1 in ratios
 * @param metrics columns; the first one is what the measurement is about
 * @param notes what a reader has to know to read the numbers rightly
 */
public record Report(
    String scenario,
    String question,
    Map<String, String> environment,
    Map<String, String> settings,
    String reference,
    List<Metric> metrics,
    List<Chart> charts,
    List<String> notes,
    List<Sample> samples) {
  public Report {
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    metrics = List.copyOf(metrics);
    charts = List.copyOf(charts);
    notes = List.copyOf(notes);
    samples = List.copyOf(samples);
  }

  Metric metric(String name) {
    return metrics.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("No metric " + name));
  }
}
