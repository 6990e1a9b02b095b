package dev.ingest.app.bench.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * All rounds of one contestant under one load, not empty. Immutable.
 *
 * @param runs in the order in which they ran
 */
record Result(String contestant, String load, List<Sample> runs) {
  /** Loads in the order of their first run, contestants likewise within each. */
  static List<Result> of(List<Sample> samples) {
    Map<String, Map<String, List<Sample>>> grouped = new LinkedHashMap<>();
    samples.forEach(
        each ->
            grouped
                .computeIfAbsent(each.load(), load -> new LinkedHashMap<>())
                .computeIfAbsent(each.contestant(), contestant -> new ArrayList<>())
                .add(each));
    List<Result> results = new ArrayList<>();
    grouped.forEach(
        (load, contestants) ->
            contestants.forEach(
                (contestant, runs) -> results.add(new Result(contestant, load, runs))));
    return results;
  }

  /** Of the runs in which it was measured; NaN where it never was. */
  double median(String metric) {
    double[] sorted = values(metric).sorted().toArray();
    if (sorted.length == 0) {
      return Double.NaN;
    }
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  double lowest(String metric) {
    return values(metric).min().orElse(Double.NaN);
  }

  double highest(String metric) {
    return values(metric).max().orElse(Double.NaN);
  }

  /** The median against that of the reference under the same load; NaN where there is none. */
  double ratio(String metric, String reference, List<Result> all) {
    return all.stream()
        .filter(each -> each.load.equals(load) && each.contestant.equals(reference))
        .mapToDouble(one -> median(metric) / one.median(metric))
        .findFirst()
        .orElse(Double.NaN);
  }

  private DoubleStream values(String metric) {
    return Arrays.stream(runs.stream().mapToDouble(each -> each.value(metric)).toArray())
        .filter(Double::isFinite);
  }
}
