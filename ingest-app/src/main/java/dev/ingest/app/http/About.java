package dev.ingest.app.http;

import java.time.Instant;
import java.util.Objects;

/**
 * What the console says of the process itself; shown to whoever reaches the port, so it holds no
 * secret. Immutable.
 *
 * @param source what is read, such as the topics
 * @param target where it goes, such as the table
 */
public record About(String version, String group, String source, String target, Instant started) {
  public About {
    Objects.requireNonNull(version, "version");
    Objects.requireNonNull(group, "group");
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(started, "started");
  }
}
