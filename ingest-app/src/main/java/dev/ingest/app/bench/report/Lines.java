package dev.ingest.app.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/** Medians of one metric over another, one line for each contestant. */
final class Lines {
  private static final int LEFT = 90;
  private static final int WIDTH = 900;
  private static final int HEIGHT = 320;
  private static final int TOP = 12;
  private static final int RIGHT = 20;

  private final List<Result> results;
  private final Metric x;
  private final Metric y;
  private final Svg svg = Svg.open();

  private Lines(List<Result> results, Metric x, Metric y) {
    this.results = results;
    this.x = x;
    this.y = y;
  }

  static String draw(List<Result> results, Metric x, Metric y) {
    return new Lines(results, x, y).draw();
  }

  private String draw() {
    List<Double> steps =
        Svg.steps(results.stream().mapToDouble(r -> r.highest(y.name())).max().orElse(1));
    double top = steps.get(steps.size() - 1);
    DoubleUnaryOperator across = across();
    DoubleUnaryOperator up = value -> TOP + HEIGHT - value / top * HEIGHT;
    for (double step : steps) {
      svg.line(
          LEFT, up.applyAsDouble(step), WIDTH - RIGHT, up.applyAsDouble(step), "class=\"rule\"");
      svg.text(LEFT - 8, up.applyAsDouble(step) + 4, "end", "faint", y.format(step));
    }
    results.stream()
        .mapToDouble(each -> each.median(x.name()))
        .distinct()
        .forEach(
            value ->
                svg.text(
                    across.applyAsDouble(value),
                    TOP + HEIGHT + 18,
                    "middle",
                    "faint",
                    x.format(value)));
    svg.text(WIDTH - RIGHT, TOP + HEIGHT + 36, "end", "faint", x.title() + " → " + y.title());
    int legend = TOP + HEIGHT + 36;
    Map<String, String> colors = Svg.colors(results);
    for (Map.Entry<String, List<Result>> each : byContestant().entrySet()) {
      String color = colors.getOrDefault(each.getKey(), "var(--ink)");
      path(each.getValue(), across, up, color);
      svg.raw(
          "<rect x=\"%d\" y=\"%d\" width=\"10\" height=\"10\" style=\"fill:%s\"/>",
          LEFT, legend - 9, color);
      svg.text(LEFT + 16, legend, "start", "", each.getKey());
      legend += 18;
    }
    return svg.close(WIDTH, legend);
  }

  private void path(
      List<Result> points, DoubleUnaryOperator across, DoubleUnaryOperator up, String color) {
    StringBuilder path = new StringBuilder();
    for (Result each : points) {
      double px = across.applyAsDouble(each.median(x.name()));
      double py = up.applyAsDouble(each.median(y.name()));
      path.append(String.format(Locale.ROOT, "%s%.1f %.1f", path.isEmpty() ? "M" : "L", px, py));
      svg.line(
          px,
          up.applyAsDouble(each.lowest(y.name())),
          px,
          up.applyAsDouble(each.highest(y.name())),
          "style=\"stroke:" + color + "\"");
      svg.raw("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" style=\"fill:%s\"/>", px, py, color);
    }
    svg.raw("<path d=\"%s\" style=\"fill:none;stroke:%s;stroke-width:2\"/>", path, color);
  }

  private Map<String, List<Result>> byContestant() {
    Map<String, List<Result>> lines = new LinkedHashMap<>();
    results.stream()
        .sorted(Comparator.comparingDouble(each -> each.median(x.name())))
        .forEach(
            each -> lines.computeIfAbsent(each.contestant(), c -> new ArrayList<>()).add(each));
    return lines;
  }

  /** Logarithmic where the values span more than one power of ten and none is 0. */
  private DoubleUnaryOperator across() {
    double low = results.stream().mapToDouble(each -> each.median(x.name())).min().orElse(0);
    double high = results.stream().mapToDouble(each -> each.median(x.name())).max().orElse(1);
    boolean powers = low > 0 && high / low > 30;
    double from = powers ? Math.log10(low) : Math.min(low, 0);
    double span = Math.max((powers ? Math.log10(high) : high) - from, 1e-9);
    return value ->
        LEFT
            + 10
            + ((powers ? Math.log10(value) : value) - from) / span * (WIDTH - LEFT - RIGHT - 40);
  }
}
