package dev.ingest.plan;

import java.util.Objects;
import java.util.function.Predicate;

/**
 * One way for events to a target: which topics it takes, and how an event is read on it. Immutable.
 *
 * @param name as meters, parked events and messages show it
 * @param takes whether the events of a topic go this way
 */
public record Route(String name, Predicate<String> takes, EventReader reader) {
  /** The name of the only route where there is but one. */
  public static final String DEFAULT = "default";

  public Route {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(takes, "takes");
    Objects.requireNonNull(reader, "reader");
  }
}
