package dev.ingest.app.faults;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** How long a fault lasts, where its length is what the test is about. */
final class Pause {
  private Pause() {}

  static void of(Duration time) throws InterruptedException {
    // Nobody counts down.
    var unused = new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS);
  }
}
