package dev.ingest.pipeline;

import dev.ingest.event.Event;
import org.jspecify.annotations.Nullable;

/** Refuses values that don't begin like JSON, which is enough for the values of these tests. */
final class JsonLikeValues implements InMemoryDatabase.Refusal {
  @Override
  public @Nullable String of(Event event) {
    byte[] value = event.value();
    return value == null || (value.length > 0 && value[0] == '{') ? null : "22P02";
  }
}
