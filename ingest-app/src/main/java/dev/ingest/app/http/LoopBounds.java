package dev.ingest.app.http;

import java.time.Duration;

/**
 * How long a turn of a consumer's loops may take before the process counts as stuck. Immutable.
 *
 * @param poll for the polling thread, which may wait for a drain and a commit when partitions leave
 * @param write for the writing thread, which waits for the database within its timeouts
 * @param progress for a partition that is behind to get on
 */
public record LoopBounds(Duration poll, Duration write, Duration progress) {
  private static final Duration POLL = Duration.ofSeconds(60);
  private static final Duration MARGIN = Duration.ofSeconds(30);

  /**
   * Bounds that no working consumer passes.
   *
   * @param connectTimeout how long one try to connect may take
   * @param socketTimeout silence of the server after which a connection is given up
   * @param progress how long a partition may stay behind without getting on
   */
  public static LoopBounds of(Duration connectTimeout, Duration socketTimeout, Duration progress) {
    return new LoopBounds(
        POLL, connectTimeout.plus(socketTimeout.multipliedBy(2)).plus(MARGIN), progress);
  }
}
