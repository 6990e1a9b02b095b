package dev.ingest.app.bench;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Medians and spread of all rounds, with each contestant's rate as a ratio to one of them.
 *
 * @param reference title of the contestant that counts as 1
 */
record Summary(List<Measured> all, String reference) {
  void print(PrintWriter out) {
    Map<String, List<Measured>> byContestant = new LinkedHashMap<>();
    all.forEach(
        each ->
            byContestant.computeIfAbsent(each.contestant(), title -> new ArrayList<>()).add(each));
    double one = median(byContestant.getOrDefault(reference, all), Measured::rate);
    out.printf(
        "%n%-28s %12s %25s %8s %22s%n",
        "contestant", "events/s", "lowest..highest", "ratio", "cpu s per million");
    byContestant.forEach(
        (title, runs) ->
            out.printf(
                Locale.ROOT,
                "%-28s %,12.0f %25s %8.2f %22.1f%n",
                title,
                median(runs, Measured::rate),
                spread(runs),
                median(runs, Measured::rate) / one,
                median(runs, each -> each.cpuSeconds() / each.events() * 1e6)));
    out.printf(
        "%d rounds, medians; %d processors, Java %s, %s%n",
        all.size() / byContestant.size(),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("java.version"),
        System.getProperty("os.name"));
    out.flush();
  }

  private static String spread(List<Measured> runs) {
    return String.format(
        Locale.ROOT,
        "%,.0f..%,.0f",
        runs.stream().mapToDouble(Measured::rate).min().orElse(0),
        runs.stream().mapToDouble(Measured::rate).max().orElse(0));
  }

  private static double median(List<Measured> runs, ToDoubleFunction<Measured> value) {
    double[] sorted = runs.stream().mapToDouble(value).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
