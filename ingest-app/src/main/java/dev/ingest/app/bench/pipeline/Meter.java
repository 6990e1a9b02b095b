package dev.ingest.app.bench.pipeline;

import dev.ingest.pipeline.WriteOutcome.Phases;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Times a contestant from its first event to its last. Thread-safe. */
final class Meter {
  private final long expected;
  private final long step;
  private final AtomicReference<@Nullable Usage> start = new AtomicReference<>();
  private final CountDownLatch finished = new CountDownLatch(1);
  // guarded by this
  private final List<Double> steps = new ArrayList<>();
  private final PhaseTimes phases = new PhaseTimes();
  private long done;
  private @Nullable Usage half;
  private @Nullable Usage end;

  Meter(Workload workload) {
    this.expected = workload.events();
    this.step = workload.step();
  }

  /** Events came in. */
  void polled() {
    if (start.get() == null) {
      start.compareAndSet(null, Usage.now());
    }
  }

  /** A transaction is committed. */
  synchronized void committed(int events, Phases took) {
    phases.add(events, took);
  }

  /** Events are stored, and their offsets committed. */
  synchronized void stored(int events) {
    done += events;
    while (done >= (steps.size() + 1) * step) {
      steps.add(secondsFrom(System.nanoTime()));
    }
    if (done >= expected / 2 && half == null) {
      half = Usage.now();
    }
    if (done >= expected && end == null) {
      end = Usage.now();
      finished.countDown();
    }
  }

  private double secondsFrom(long nanos) {
    Usage began = start.get();
    return began == null ? 0 : (nanos - began.nanos()) / 1e9;
  }

  boolean isFinished() {
    return finished.getCount() == 0;
  }

  Measured await() throws InterruptedException {
    finished.await();
    return measured();
  }

  private synchronized Measured measured() {
    Usage from = start.get();
    Usage middle = half;
    Usage to = end;
    if (from == null || middle == null || to == null) {
      throw new IllegalStateException("Nothing was stored.");
    }
    return new Measured(
        done,
        (to.nanos() - from.nanos()) / 1e9,
        to.cpuSeconds() - from.cpuSeconds(),
        to.cpuSeconds() - middle.cpuSeconds(),
        to.allocatedBytes() - from.allocatedBytes(),
        Usage.heapBytes(),
        Usage.residentBytes(),
        List.copyOf(steps),
        Map.copyOf(phases.percentiles()));
  }
}
