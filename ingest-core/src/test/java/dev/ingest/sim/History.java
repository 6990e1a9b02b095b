package dev.ingest.sim;

import java.util.ArrayDeque;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The latest of what happened, for the message of a failure. */
final class History {
  private static final int LINES = 120;

  private final SimClock clock;
  private final ArrayDeque<Line> lines = new ArrayDeque<>(LINES);
  private long count;

  /** Put into words only when somebody reads it: most runs end well. */
  private record Line(long number, long millis, String who, @Nullable Object[] what) {
    @Override
    public String toString() {
      String words = Stream.of(what).map(String::valueOf).collect(Collectors.joining(" "));
      return number + " " + millis + "ms " + who + " " + words;
    }
  }

  History(SimClock clock) {
    this.clock = clock;
  }

  /**
   * @param what words and values, which don't change later
   */
  void add(String who, @Nullable Object... what) {
    if (lines.size() == LINES) {
      lines.remove();
    }
    lines.add(new Line(++count, clock.millis(), who, what));
  }

  String tail() {
    return lines.stream().map(Line::toString).collect(Collectors.joining("\n"));
  }
}
