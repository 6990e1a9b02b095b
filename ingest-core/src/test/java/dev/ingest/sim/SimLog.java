package dev.ingest.sim;

import dev.ingest.event.Event;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One partition: events, and between them offsets that hold none (control records, compaction). */
final class SimLog {
  private final List<@Nullable Event> records = new ArrayList<>();

  /** What was read, and where the next read begins. */
  record Read(List<Event> events, long next) {}

  long end() {
    return records.size();
  }

  void add(Event event) {
    if (event.offset() != end()) {
      throw new IllegalArgumentException(event + " does not follow " + end());
    }
    records.add(event);
  }

  void addGap() {
    records.add(null);
  }

  /**
   * Reads up to {@code most} events, and past the gaps behind them. Each read makes new objects, as
   * a client does: an event that comes again is another delivery.
   */
  Read read(long from, int most) {
    List<Event> events = new ArrayList<>();
    int next = (int) from;
    while (next < records.size()) {
      Event event = records.get(next);
      if (event != null && events.size() == most) {
        break;
      }
      if (event != null) {
        events.add(delivery(event));
      }
      next++;
    }
    return new Read(events, next);
  }

  private static Event delivery(Event event) {
    Event delivery =
        new Event(
            event.partition(),
            event.offset(),
            event.timestampMillis(),
            event.key(),
            event.value(),
            event.headers());
    return event.isDeletion() ? delivery.deletion() : delivery;
  }

  List<Event> between(long from, long to) {
    List<Event> events = new ArrayList<>();
    for (Event event : records.subList((int) from, (int) to)) {
      if (event != null) {
        events.add(event);
      }
    }
    return events;
  }
}
