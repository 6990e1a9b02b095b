package dev.ingest.testkit;

import java.util.Optional;

/**
 * The switch between embedded servers and containers: the system properties {@code
 * ingest.test.postgres.image} and {@code ingest.test.kafka.image} name images, which the servers of
 * this JVM then run in. The profile {@code containers} of the build sets them.
 */
final class ServerImages {
  private ServerImages() {}

  static Optional<String> postgres() {
    return property("ingest.test.postgres.image");
  }

  static Optional<String> kafka() {
    return property("ingest.test.kafka.image");
  }

  private static Optional<String> property(String name) {
    return Optional.ofNullable(System.getProperty(name)).filter(image -> !image.isBlank());
  }
}
