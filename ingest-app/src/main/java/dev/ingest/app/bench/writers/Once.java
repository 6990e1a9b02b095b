package dev.ingest.app.bench.writers;

import dev.ingest.event.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Events with each key once, the first one, in the order of keys. */
final class Once {
  private Once() {}

  static List<Event> sorted(List<Event> events) {
    SortedMap<String, Event> first = new TreeMap<>();
    events.forEach(each -> first.putIfAbsent(Text.key(each), each));
    return new ArrayList<>(first.values());
  }
}
