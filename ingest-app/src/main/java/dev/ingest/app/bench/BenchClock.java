package dev.ingest.app.bench;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Microseconds since 1970 that never run backwards. Immutable, thread-safe. */
public final class BenchClock {
  private final long startNanos = System.nanoTime();
  private final long startMicros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());

  public long micros() {
    return startMicros + (System.nanoTime() - startNanos) / 1000;
  }
}
