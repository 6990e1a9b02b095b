package dev.ingest.app.bench.report;

import java.util.Locale;

/**
 * Something that is measured of every run. Immutable.
 *
 * @param name in JSON
 * @param title for people, with its unit
 * @param decimals digits after the point that mean something
 */
public record Metric(String name, String title, int decimals) {
  String format(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%,." + decimals + "f", value) : "–";
  }
}
