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
    requirePairedSurrogates(value);
  }

  private static void requirePairedSurrogates(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (!Character.isSurrogate(c)) {
        continue;
      }
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < value.length()
              && Character.isLowSurrogate(value.charAt(i + 1));
      if (!pair) {
        throw new IllegalArgumentException("business key holds an unpaired surrogate");
      }
      i++;
    }
  }

  /** The length alone: a key never reaches a log by accident. */
  @Override
  public String toString() {
    return "BusinessKey[" + value.length() + " chars]";
  }
}
