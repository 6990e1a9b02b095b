package dev.ingest.sim;

import dev.ingest.event.Event;
import dev.ingest.pipeline.InMemoryDatabase.Position;
import dev.ingest.plan.KeyGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds the rows of keys that may be deleted against the topic: the last event of a key decides
 * whether it has a row, and the first after its last tombstone is the row. Passed over where a
 * consumer that was thrown out of the group wrote before it could know, which ADR 0021 leaves open.
 */
final class DeletionOrder {
  private final World world;
  private final String key;
  private final List<Event> events = new ArrayList<>();

  private DeletionOrder(World world, String key) {
    this.world = world;
    this.key = key;
  }

  static void require(World world) {
    Map<String, DeletionOrder> byKey = new TreeMap<>();
    for (Event event : world.broker().events()) {
      String key = world.workload().keyOf(event);
      if (key != null
          && Workload.isMortal(key)
          && !Workload.isSkipped(event)
          && !world.isBad(event)) {
        byKey.computeIfAbsent(key, each -> new DeletionOrder(world, each)).events.add(event);
      }
    }
    if (!world.workload().isMended()) { // else it depends on when which events were bad
      byKey.values().forEach(DeletionOrder::check);
    }
  }

  private void check() {
    if (world.isWrittenLate(key)) {
      return;
    }
    List<KeyGroup> applied = world.database().applied(key);
    Event expected = row();
    Event row = world.database().rows().get(key);
    if ((row == null) != (expected == null) || (isForward(applied) && !isSame(row, expected))) {
      throw new Violation(
          "order", "the row of " + events + " is " + row + " instead of " + expected);
    }
  }

  private static boolean isSame(@Nullable Event row, @Nullable Event expected) {
    return row == null || expected == null || Position.of(row).equals(Position.of(expected));
  }

  private @Nullable Event row() {
    Event row = null;
    for (Event event : events) {
      row = event.isDeletion() ? null : row == null ? event : row;
    }
    return row;
  }

  /** Whether nothing was written twice, nor late. */
  private static boolean isForward(List<KeyGroup> applied) {
    long last = -1;
    for (KeyGroup group : applied) {
      if (group.events().get(0).offset() <= last) {
        return false;
      }
      last = group.events().get(group.events().size() - 1).offset();
    }
    return true;
  }
}
