package dev.ingest.pipeline;

import java.time.Duration;
import java.util.Objects;

/**
 * How much a batch holds and how much may wait in memory. Immutable.
 *
 * @param maxEvents events a batch holds at most, at least 1
 * @param maxBytes estimated bytes a batch holds at most; a larger event is not held, it is kept by
 *     reference among those that can't be stored
 * @param linger how long a batch waits to fill after its first event, 0 for not at all
 * @param bufferEvents events that may wait before the source is paused; at least maxEvents
 * @param bufferBytes estimated bytes that may wait before the source is paused; at least maxBytes
 */
public record BatchLimits(
    int maxEvents, long maxBytes, Duration linger, int bufferEvents, long bufferBytes) {
  public BatchLimits {
    Objects.requireNonNull(linger, "linger");
    require(maxEvents >= 1, "maxEvents=" + maxEvents + " is below 1");
    require(maxBytes >= 1, "maxBytes=" + maxBytes + " is below 1");
    require(!linger.isNegative(), "linger=" + linger + " is negative");
    require(bufferEvents >= maxEvents, "bufferEvents=" + bufferEvents + " is below maxEvents");
    require(bufferBytes >= maxBytes, "bufferBytes=" + bufferBytes + " is below maxBytes");
  }

  /** Limits with room for two more batches while one is written. */
  public static BatchLimits of(int maxEvents, long maxBytes, Duration linger) {
    return new BatchLimits(maxEvents, maxBytes, linger, 3 * maxEvents, 2 * maxBytes);
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
