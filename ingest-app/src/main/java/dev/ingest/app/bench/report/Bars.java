package dev.ingest.app.bench.report;

import java.util.List;
import java.util.Map;

/** Medians as bars, grouped by load, with a thin line from the lowest to the highest run. */
final class Bars {
  private static final int LEFT = 260;
  private static final int WIDTH = 900;
  private static final int ROW = 24;
  private static final int RIGHT = 90;

  private Bars() {}

  static String draw(List<Result> results, Metric metric) {
    Map<String, String> colors = Svg.colors(results);
    double highest = results.stream().mapToDouble(e -> e.highest(metric.name())).max().orElse(1);
    List<Double> steps = Svg.steps(highest);
    double scale = (WIDTH - LEFT - RIGHT) / Math.max(steps.get(steps.size() - 1), 1e-9);
    Svg svg = Svg.open();
    int y = 8;
    String load = "";
    StringBuilder none = new StringBuilder();
    for (Result each : results) {
      if (!each.load().equals(load)) {
        load = each.load();
        y += 20;
        svg.text(0, y, "start", "faint", load);
        y += 8;
      }
      bar(svg, each, metric, y, scale, colors.getOrDefault(each.contestant(), none.toString()));
      y += ROW;
    }
    for (double step : steps) {
      svg.line(LEFT + step * scale, 4, LEFT + step * scale, y + 4, "class=\"rule\"");
      svg.text(LEFT + step * scale, y + 18, "middle", "faint", metric.format(step));
    }
    svg.text(WIDTH - RIGHT, y + 36, "end", "faint", metric.title());
    return svg.close(WIDTH, y + 44);
  }

  private static void bar(
      Svg svg, Result result, Metric metric, int y, double scale, String color) {
    double median = result.median(metric.name());
    double middle = y + ROW / 2.0;
    svg.text(LEFT - 8, middle + 4, "end", "", result.contestant());
    svg.raw(
        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\" style=\"fill:%s\"/>",
        LEFT, y + 4, Math.max(1, median * scale), ROW - 8, color);
    svg.line(
        LEFT + result.lowest(metric.name()) * scale,
        middle,
        LEFT + result.highest(metric.name()) * scale,
        middle,
        "style=\"stroke:var(--ink);stroke-width:2\"");
    svg.text(
        LEFT + Math.max(median, result.highest(metric.name())) * scale + 6,
        middle + 4,
        "start",
        "",
        metric.format(median));
  }
}
