package dev.ingest.queue;

import dev.ingest.plan.Backoff;
import java.time.Duration;

/** The workers of one queue. */
interface WorkLoop {
  /** Between tries while the database cannot be used. */
  Backoff PAUSE = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));

  /** An error, too, must not end the thread that keeps jobs going: it is told, and tried again. */
  static Exception told(Throwable failed) {
    return failed instanceof Exception exception
        ? exception
        : new IllegalStateException(failed.getClass().getName(), failed);
  }

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
