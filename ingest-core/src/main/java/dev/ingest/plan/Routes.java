package dev.ingest.plan;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * All routes, in their order. Several may take the same topic: each of its events then goes all of
 * these ways and counts once for each. Thread-safe.
 */
public final class Routes {
  private final List<Route> all;
  private final Map<String, List<Route>> byTopic = new ConcurrentHashMap<>();

  public Routes(List<Route> all) {
    this.all = List.copyOf(all);
    Set<String> names = new HashSet<>();
    for (Route route : all) {
      if (!names.add(route.name())) {
        throw new IllegalArgumentException("Two routes have the name " + route.name());
      }
    }
    if (all.isEmpty()) {
      throw new IllegalArgumentException("There is no route.");
    }
  }

  /** One route that takes every topic. */
  public static Routes single(EventReader reader) {
    return new Routes(List.of(new Route(Route.DEFAULT, topic -> true, reader)));
  }

  /** Whether events of this route may delete rows; false where there is no such route. */
  public boolean deletes(String name) {
    return all.stream().anyMatch(route -> route.name().equals(name) && route.reader().deletes());
  }

  /** Routes that take a topic; empty where none does. */
  public List<Route> of(String topic) {
    List<Route> known = byTopic.get(topic);
    return known != null
        ? known
        : byTopic.computeIfAbsent(
            topic, name -> all.stream().filter(route -> route.takes().test(name)).toList());
  }
}
