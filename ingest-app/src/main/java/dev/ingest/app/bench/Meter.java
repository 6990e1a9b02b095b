package dev.ingest.app.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Times a contestant from its first event to its last. Thread-safe. */
final class Meter {
  private final OperatingSystemMXBean system =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private final long expected;
  private final AtomicBoolean started = new AtomicBoolean();
  private final AtomicLong done = new AtomicLong();
  private final CountDownLatch finished = new CountDownLatch(1);
  private volatile long startNanos;
  private volatile long startCpu;
  private volatile long endNanos;
  private volatile long endCpu;

  Meter(long expected) {
    this.expected = expected;
  }

  /** Events came in. */
  void polled() {
    if (started.compareAndSet(false, true)) {
      startNanos = System.nanoTime();
      startCpu = system.getProcessCpuTime();
    }
  }

  /** Events are stored. */
  void stored(int events) {
    if (done.addAndGet(events) >= expected && finished.getCount() > 0) {
      endNanos = System.nanoTime();
      endCpu = system.getProcessCpuTime();
      finished.countDown();
    }
  }

  boolean isFinished() {
    return finished.getCount() == 0;
  }

  Measured await(String contestant) throws InterruptedException {
    finished.await();
    return new Measured(
        contestant, done.get(), (endNanos - startNanos) / 1e9, (endCpu - startCpu) / 1e9);
  }
}
