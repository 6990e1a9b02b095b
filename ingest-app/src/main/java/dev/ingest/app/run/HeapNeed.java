package dev.ingest.app.run;

import dev.ingest.app.config.BatchSettings;
import dev.ingest.app.config.Config;
import java.util.Optional;

/**
 * How much of the heap the events of one process may take when all of them are large: the
 * arithmetic behind {@code ingest.buffer.max-bytes} and {@code ingest.batch.max-bytes}. Pure.
 */
final class HeapNeed {
  /** The batch as text, as the driver's parameters and as what goes over the wire. */
  private static final int COPIES_OF_A_BATCH = 4;

  /**
   * One fetch that is read from, one that is on its way, and what the poll that fills the buffer
   * hands over beyond it.
   */
  private static final int FETCHES = 3;

  private static final long LARGEST_FETCH = 8 << 20;
  private static final long SMALLEST_FETCH = 64 << 10;

  private HeapNeed() {}

  /** What one fetch may bring, for all partitions of one broker together. */
  static long fetchBytes(BatchSettings batch) {
    return Math.max(SMALLEST_FETCH, Math.min(LARGEST_FETCH, batch.bufferBytes() / 4));
  }

  /** Bytes that events may take in this process. */
  static long bytes(Config config) {
    BatchSettings batch = config.batch();
    long consumer =
        batch.bufferBytes() + FETCHES * fetchBytes(batch) + COPIES_OF_A_BATCH * batch.maxBytes();
    return config.source().consumers() * consumer;
  }

  /**
   * What to say where large events may exhaust the heap.
   *
   * @param heap bytes that the heap may grow to
   */
  static Optional<String> warning(Config config, long heap) {
    long need = bytes(config);
    return need <= heap
        ? Optional.empty()
        : Optional.of(
            "large events may exhaust the heap: heap=%dMiB need=%dMiB consumers=%d. Raise -Xmx, or lower ingest.buffer.max-bytes or ingest.batch.max-bytes."
                .formatted(heap >> 20, need >> 20, config.source().consumers()));
  }
}
