package dev.ingest.queue;

import dev.ingest.plan.Backoff;
import java.time.Duration;

/** The workers of one queue. */
interface WorkLoop {
  /** Between tries while the database cannot be used. */
  Backoff PAUSE = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));

  void start();

  /** Looks for work at once. */
  void wake();

  /** Begins no further job; returns at once. */
  void stop();

  /**
   * Waits for the end of what is running, then interrupts it.
   *
   * @param deadline of {@link System#nanoTime}
   * @return whether everything ended by itself
   */
  boolean awaitEnd(long deadline) throws InterruptedException;
}
