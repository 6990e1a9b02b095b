package dev.ingest.app.config;

import dev.ingest.mapping.TargetMapping;
import java.util.Objects;

/**
 * One way for events to a table. Immutable.
 *
 * @param topics whose events go this way, among those that are read
 */
public record RouteSettings(
    String name, Topics topics, KeySettings key, ValueSettings value, TargetMapping target) {
  public RouteSettings {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(topics, "topics");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(target, "target");
  }
}
