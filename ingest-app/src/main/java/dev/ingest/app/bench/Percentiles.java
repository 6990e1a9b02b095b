package dev.ingest.app.bench;

import java.util.Map;
import java.util.TreeMap;

/** Exact percentiles of weighted values. Single-threaded. */
public final class Percentiles {
  private final TreeMap<Double, Long> weights = new TreeMap<>();
  private long total;

  public void add(double value, long weight) {
    weights.merge(value, weight, Long::sum);
    total += weight;
  }

  public boolean isEmpty() {
    return total == 0;
  }

  /**
   * The lowest value that at least this share of the weight does not exceed; NaN where there is
   * none.
   *
   * @param share 0 to 1; 1 is the highest value
   */
  public double at(double share) {
    long wanted = (long) Math.ceil(share * total);
    long seen = 0;
    for (Map.Entry<Double, Long> each : weights.entrySet()) {
      seen += each.getValue();
      if (seen >= wanted) {
        return each.getKey();
      }
    }
    return Double.NaN;
  }
}
