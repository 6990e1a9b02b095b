package dev.ingest.pipeline;

import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Faults in the order they were asked for, at each point its own. Single-threaded. */
final class ScriptedFaults implements FaultInjection {
  private final Map<Point, ArrayDeque<Injected>> script = new EnumMap<>(Point.class);

  /** The next time that nothing else is left for this point, this happens. */
  ScriptedFaults then(Point point, Injected injected) {
    script.computeIfAbsent(point, any -> new ArrayDeque<>()).add(injected);
    return this;
  }

  ScriptedFaults then(Point point, String sqlState) {
    return then(point, new SqlState(sqlState));
  }

  @Override
  public @Nullable Injected at(Point point) {
    ArrayDeque<Injected> left = script.get(point);
    return left == null ? null : left.poll();
  }
}
