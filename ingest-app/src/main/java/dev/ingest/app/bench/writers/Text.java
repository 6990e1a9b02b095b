package dev.ingest.app.bench.writers;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.event.Event;
import java.util.Objects;

/** Key and value of the benchmark's events, which always have both. */
final class Text {
  private Text() {}

  static String key(Event event) {
    return new String(Objects.requireNonNull(event.key(), "key"), UTF_8);
  }

  static String value(Event event) {
    return new String(Objects.requireNonNull(event.value(), "value"), UTF_8);
  }
}
