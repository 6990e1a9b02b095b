package dev.ingest.event;

import java.util.Objects;

/**
 * The key under which an event is stored once (idempotency key). Never empty, never holds U+0000,
 * which PostgreSQL's text cannot hold, nor an unpaired surrogate. Immutable.
 */
public record BusinessKey(String value) {
  public BusinessKey {
    Objects.requireNonNull(value, "value");
    if (value.isEmpty()) {
      throw new IllegalArgumentException("business key is empty");
    }
    if (value.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("business key holds U+0000");
    }
    if (Utf8.unpairedSurrogate(value) >= 0) {
      throw new IllegalArgumentException("business key holds an unpaired surrogate");
    }
  }

  /** The length alone: a key never reaches a log by accident. */
  @Override
  public String toString() {
    return "BusinessKey[" + value.length() + " chars]";
  }
}
