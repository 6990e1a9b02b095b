package dev.ingest.app.config;

import java.time.Duration;

/**
 * How events are gathered. Immutable.
 *
 * @param maxEvents in one batch
 * @param maxBytes of one batch in memory
 * @param linger how long a batch that is not full waits
 * @param bufferBytes read and not yet stored, for each consumer; at least {@code maxBytes}
 */
public record BatchSettings(int maxEvents, long maxBytes, Duration linger, long bufferBytes) {
  /** {@code ingest.batch.linger} where nobody sets it. */
  public static final int DEFAULT_LINGER_MILLIS = 5;
}
