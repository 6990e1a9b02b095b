package dev.ingest.app.bench.report;

import org.jspecify.annotations.Nullable;

/**
 * A plot of the report: bars of one metric, or lines of it over another. Immutable.
 *
 * @param x metric along the axis, in powers of ten where it spans more than one; null for bars
 * @param y metric that is shown
 */
public record Chart(String title, @Nullable String x, String y) {
  public static Chart bars(String title, String metric) {
    return new Chart(title, null, metric);
  }

  public static Chart lines(String title, String x, String y) {
    return new Chart(title, x, y);
  }
}
