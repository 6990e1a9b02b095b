package dev.ingest.app.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Medians and spread as rows of text, the first of them the heads. Immutable.
 *
 * @param words how many columns at the left hold words rather than numbers
 */
record Grid(int words, List<List<String>> rows) {
  static Grid of(Report report) {
    List<Result> results = Result.of(report.samples());
    boolean loads = results.stream().anyMatch(each -> !each.load().isEmpty());
    List<List<String>> rows = new ArrayList<>();
    rows.add(heads(report, loads));
    results.forEach(each -> rows.add(row(report, each, results, loads)));
    return new Grid(loads ? 2 : 1, rows);
  }

  private static List<String> heads(Report report, boolean loads) {
    List<String> heads = new ArrayList<>(loads ? List.of("load") : List.of());
    heads.add("contestant");
    heads.add(report.metrics().get(0).title());
    heads.add("lowest..highest");
    heads.add("ratio");
    report.metrics().stream().skip(1).map(Metric::title).forEach(heads::add);
    return heads;
  }

  private static List<String> row(Report report, Result one, List<Result> all, boolean loads) {
    Metric first = report.metrics().get(0);
    List<String> row = new ArrayList<>(loads ? List.of(one.load()) : List.of());
    row.add(one.contestant());
    row.add(first.format(one.median(first.name())));
    row.add(
        first.format(one.lowest(first.name())) + ".." + first.format(one.highest(first.name())));
    double ratio = one.ratio(first.name(), report.reference(), all);
    row.add(Double.isFinite(ratio) ? String.format(Locale.ROOT, "%.2f", ratio) : "–");
    report.metrics().stream()
        .skip(1)
        .forEach(each -> row.add(each.format(one.median(each.name()))));
    return row;
  }
}
