package dev.ingest.app.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws a chart of a report as an SVG element. */
final class Svg {
  private static final int COLORS = 8;

  private final StringBuilder body = new StringBuilder();

  private Svg() {}

  static String of(Report report, Chart chart) {
    List<Result> results =
        Result.of(report.samples()).stream()
            .filter(each -> Double.isFinite(each.median(chart.y())))
            .toList();
    if (results.isEmpty()) {
      return "<p>Not measured.</p>";
    }
    String x = chart.x();
    return x == null
        ? Bars.draw(results, report.metric(chart.y()))
        : Lines.draw(results, report.metric(x), report.metric(chart.y()));
  }

  /** Contestants in the order in which they first appear, each with its color. */
  static Map<String, String> colors(List<Result> results) {
    Map<String, String> colors = new LinkedHashMap<>();
    results.forEach(
        each -> colors.putIfAbsent(each.contestant(), "var(--c" + colors.size() % COLORS + ")"));
    return colors;
  }

  /** Round steps from 0 to the first one that is not below the highest value. */
  static List<Double> steps(double highest) {
    double rough = Math.max(highest, 1e-9) / 5;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double step = power;
    for (double factor : new double[] {1, 2, 2.5, 5, 10}) {
      step = factor * power;
      if (step >= rough) {
        break;
      }
    }
    List<Double> steps = new ArrayList<>();
    for (int i = 0; steps.isEmpty() || steps.get(steps.size() - 1) < highest; i++) {
      steps.add(i * step);
    }
    return steps;
  }

  static Svg open() {
    return new Svg();
  }

  Svg line(double x1, double y1, double x2, double y2, String attributes) {
    body.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>%n",
            x1,
            y1,
            x2,
            y2,
            attributes));
    return this;
  }

  Svg text(double x, double y, String anchor, String style, String text) {
    body.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">%s</text>%n",
            x,
            y,
            anchor,
            style,
            ReportHtml.escape(text)));
    return this;
  }

  Svg raw(String format, Object... values) {
    body.append(String.format(Locale.ROOT, format, values)).append('\n');
    return this;
  }

  String close(int width, int height) {
    return "<svg role=\"img\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">%n%s</svg>%n"
        .formatted(width, height, width, height, body);
  }
}
