package dev.ingest.pipeline;

import dev.ingest.plan.FaultKind;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;

/** Which consumers stand still, and which kinds of fault have been told since. Thread-safe. */
final class Outage {
  // guarded by this
  private final Set<String> paused = new HashSet<>();
  private final Set<FaultKind> told = EnumSet.noneOf(FaultKind.class);

  /** Whether this kind of fault is new in this outage. */
  synchronized boolean begins(String consumer, FaultKind kind) {
    paused.add(consumer);
    return told.add(kind);
  }

  synchronized boolean isPaused(String consumer) {
    return paused.contains(consumer);
  }

  /** Whether this was the last consumer that stood still. */
  synchronized boolean ends(String consumer) {
    if (!paused.remove(consumer) || !paused.isEmpty()) {
      return false;
    }
    told.clear();
    return true;
  }
}
