package dev.ingest.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the bad items of an ordered list with few tries. A try asks whether the good items so far
 * plus a run of the next ones go through together, so items that are bad only beside another one
 * are found too. For k bad of n it takes at most {@code k * (ceil(log2 n) + 1) + 1} tries. Pure.
 */
public final class PrefixSearch {
  private PrefixSearch() {}

  /** Tries to write items together; the answer is what is wrong, empty where they go through. */
  @FunctionalInterface
  public interface Trial<T, F> {
    Optional<F> attempt(List<T> items);
  }

  /** A bad item and what the server said of it. */
  public record Found<T, F>(T item, F fault) {}

  /** Runs the search to its end. Whatever {@code trial} throws passes through and ends it. */
  public static <T, F> List<Found<T, F>> run(List<T> items, Trial<T, F> trial) {
    return run(items, Integer.MAX_VALUE, trial);
  }

  /**
   * Runs the search until so many are found, which may not be all then.
   *
   * @param limit at least 1
   */
  public static <T, F> List<Found<T, F>> run(List<T> items, int limit, Trial<T, F> trial) {
    List<Found<T, F>> found = new ArrayList<>();
    List<T> good = new ArrayList<>();
    int start = 0;
    while (start < items.size() && found.size() < limit) {
      Optional<F> fault = trial.attempt(join(good, items.subList(start, items.size())));
      if (fault.isEmpty()) {
        break;
      }
      F last = fault.get();
      int passes = start;
      int fails = items.size();
      while (fails - passes > 1) {
        int middle = (passes + fails) >>> 1;
        Optional<F> half = trial.attempt(join(good, items.subList(start, middle)));
        if (half.isEmpty()) {
          passes = middle;
        } else {
          fails = middle;
          last = half.get();
        }
      }
      good.addAll(items.subList(start, fails - 1));
      found.add(new Found<>(items.get(fails - 1), last));
      start = fails;
    }
    return found;
  }

  private static <T> List<T> join(List<T> good, List<T> next) {
    List<T> all = new ArrayList<>(good.size() + next.size());
    all.addAll(good);
    all.addAll(next);
    return all;
  }
}
