package dev.ingest.pipeline;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Lets one line of a kind through every so often, and counts those it holds back. Thread-safe. */
final class LogLimit {
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  private record Passed(Instant at, long heldBack) {}

  // guarded by this
  private final Map<String, Passed> kinds = new HashMap<>();

  /**
   * Asks for a line.
   *
   * @param kind from a small set, such as an SQLSTATE
   * @return how many lines of the kind were held back since the last one, empty where this one is
   */
  synchronized OptionalLong pass(String kind, Instant now) {
    Passed last = kinds.get(kind);
    if (last != null && now.isBefore(last.at.plus(INTERVAL))) {
      kinds.put(kind, new Passed(last.at, last.heldBack + 1));
      return OptionalLong.empty();
    }
    kinds.put(kind, new Passed(now, 0));
    return OptionalLong.of(last == null ? 0 : last.heldBack);
  }
}
