package dev.ingest.app.http;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** How many events a second were done of late, from samples of the totals. Thread-safe. */
final class RateHistory {
  private record Sample(Instant at, TopicCounts totals, long lag) {}

  private final int capacity;

  // guarded by this; oldest first
  private final ArrayDeque<Sample> samples = new ArrayDeque<>();

  /**
   * @param capacity samples that are kept, at least 2
   */
  RateHistory(int capacity) {
    this.capacity = capacity;
  }

  synchronized void add(Instant at, TopicCounts totals, long lag) {
    samples.addLast(new Sample(at, totals, lag));
    if (samples.size() > capacity) {
      samples.removeFirst();
    }
  }

  /** Events done a second, over the last five samples. */
  synchronized long rate() {
    List<Sample> all = List.copyOf(samples);
    if (all.size() < 2) {
      return 0;
    }
    Sample from = all.get(Math.max(0, all.size() - 6));
    return perSecond(from, all.get(all.size() - 1), TopicCounts::done);
  }

  /**
   * Columns for a chart: {@code [[milliseconds since 1970], [inserted/s], [duplicates/s], [parked
   * and skipped/s], [lag]]}.
   */
  synchronized String json() {
    List<Sample> all = List.copyOf(samples);
    return "["
        + column(all, (before, now) -> now.at.toEpochMilli())
        + ","
        + column(all, (before, now) -> perSecond(before, now, TopicCounts::inserted))
        + ","
        + column(all, (before, now) -> perSecond(before, now, TopicCounts::duplicates))
        + ","
        + column(all, (before, now) -> perSecond(before, now, RateHistory::putAside))
        + ","
        + column(all, (before, now) -> now.lag)
        + "]";
  }

  private static long putAside(TopicCounts counts) {
    return counts.parked() + counts.skipped();
  }

  private interface Cell {
    long of(Sample before, Sample now);
  }

  private static String column(List<Sample> samples, Cell cell) {
    return IntStream.range(1, samples.size())
        .mapToObj(i -> Long.toString(cell.of(samples.get(i - 1), samples.get(i))))
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static long perSecond(Sample from, Sample to, ToLongFunction<TopicCounts> what) {
    long millis = Math.max(1, to.at.toEpochMilli() - from.at.toEpochMilli());
    return (what.applyAsLong(to.totals) - what.applyAsLong(from.totals)) * 1000 / millis;
  }
}
