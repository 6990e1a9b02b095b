package dev.ingest.pipeline;

import dev.ingest.event.TopicPartition;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One member of the consumer group: a thread that owns the source and always polls, and a thread
 * that owns a database connection while it writes. {@link #start} and {@link #close} may be called
 * from any thread; both are idempotent.
 */
public final class IngestConsumer implements AutoCloseable {
  /** Where a consumer is in its life; it only moves down this list. */
  public enum State {
    NEW,
    RUNNING,
    DRAINING,
    STOPPED,
    /** Stopped by a fault that a person must mend; see {@link IngestConsumer#failure}. */
    FAILED
  }

  /** How long a revoked partition waits for the batch that is being written. */
  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(10);

  private static final Duration DRAIN_STEP = Duration.ofMillis(50);

  /** An idle writer shows this often that it is alive. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(1);

  /** While the source is held back, a poll this often serves the group and the commits. */
  private static final Duration HELD_TURN = Duration.ofMillis(50);

  private final String name;
  private final Supplier<EventSource> sources;
  private final Handoff handoff;
  private final WriteLoop writeLoop;
  private final IngestEvents listener;
  private final InstantSource clock;
  private final Thread poller;
  private final Thread writer;
  private final CountDownLatch pollerEnded = new CountDownLatch(1);

  // guarded by this
  private State state = State.NEW;
  private @Nullable Throwable failure;

  private volatile Instant lastPoll;
  private volatile Instant lastWrite;
  private volatile boolean paused;
  private volatile Duration closeTimeout = Duration.ofSeconds(25);

  private IngestConsumer(
      String name,
      Supplier<EventSource> sources,
      Handoff handoff,
      WriteLoop writeLoop,
      IngestEvents listener,
      InstantSource clock) {
    this.name = name;
    this.sources = sources;
    this.handoff = handoff;
    this.writeLoop = writeLoop;
    this.listener = listener;
    this.clock = clock;
    this.lastPoll = clock.instant();
    this.lastWrite = clock.instant();
    this.poller = new Thread(this::pollUntilClosed, name + "-poll");
    this.writer = new Thread(this::writeUntilStopped, name + "-write");
  }

  /**
   * Makes a consumer that is not started.
   *
   * @param name for threads and logs
   * @param sources makes the source on the polling thread, which owns it; called once
   * @param store used by the writing thread alone; not closed here
   */
  public static IngestConsumer create(
      String name,
      ConsumerSettings settings,
      Supplier<EventSource> sources,
      EventStore store,
      IngestEvents listener) {
    InstantSource clock = InstantSource.system();
    Handoff handoff = new Handoff(settings.limits(), new RoutedEvents(listener, settings.routes()));
    FaultResponse faults =
        new FaultResponse(
            ConsumerSettings.QUICK, ConsumerSettings.SLOW, new SplittableRandom(), listener);
    WriteLoop writeLoop = new WriteLoop(handoff, store, settings, faults, listener, clock);
    return new IngestConsumer(name, sources, handoff, writeLoop, listener, clock);
  }

  public String name() {
    return name;
  }

  public synchronized State state() {
    return state;
  }

  /** Why the consumer failed; null while it did not. */
  public synchronized @Nullable Throwable failure() {
    return failure;
  }

  /** When the polling thread last ended a turn. */
  public Instant lastPoll() {
    return lastPoll;
  }

  /** When the writing thread last ended a step or was seen waiting for work. */
  public Instant lastWrite() {
    return lastWrite;
  }

  /** Whether writing stands still because of the environment. */
  public boolean isPaused() {
    return paused;
  }

  public synchronized void start() {
    if (state != State.NEW) {
      return;
    }
    state = State.RUNNING;
    lastPoll = clock.instant();
    poller.start();
    writer.start();
  }

  private void pollUntilClosed() {
    try (EventSource opened = sources.get()) {
      PollLoop loop = new PollLoop(opened, handoff, this::drain, listener, clock);
      loop.start();
      while (state() == State.RUNNING) {
        loop.step();
        lastPoll = clock.instant();
        if (loop.isHeld()) {
          handoff.awaitRoom(clock, HELD_TURN);
        }
      }
      loop.close(closeTimeout);
    } catch (Throwable thrown) { // an Error too must not leave a consumer that looks alive
      fail(thrown);
    } finally {
      handoff.close();
      pollerEnded.countDown();
    }
  }

  private void writeUntilStopped() {
    try {
      while (!handoff.isClosed()) {
        Duration pause = writeLoop.step();
        lastWrite = clock.instant();
        paused = writeLoop.isPaused();
        await(pause);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (Throwable thrown) { // an Error too must not leave a consumer that looks alive
      fail(thrown);
    }
  }

  private void await(Duration pause) throws InterruptedException {
    if (pause.isZero()) {
      return;
    }
    if (writeLoop.isIdle()) {
      handoff.awaitReady(clock, HEARTBEAT);
    } else {
      handoff.awaitClosed(clock, pause);
    }
  }

  /** Waits for the batch that is out, unless writing can't get on. */
  private boolean drain(Collection<TopicPartition> partitions) {
    Duration limit = state() == State.RUNNING ? DRAIN_TIMEOUT : closeTimeout;
    Instant deadline = clock.instant().plus(limit);
    try {
      while (handoff.isOut(partitions)) {
        Duration left = Duration.between(clock.instant(), deadline);
        if (left.isNegative() || left.isZero() || paused || !writer.isAlive()) {
          return false;
        }
        handoff.awaitDone(partitions, DRAIN_STEP);
      }
      return true;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void fail(Throwable cause) {
    synchronized (this) {
      if (state == State.FAILED) {
        return;
      }
      state = State.FAILED;
      failure = cause;
    }
    handoff.close();
    listener.failed(cause);
  }

  /**
   * Finishes the batch that is being written, commits its offsets, leaves the group and ends both
   * threads. What waits unwritten is left to the next owner of its partition.
   *
   * @return whether all of that happened within the timeout
   */
  public boolean close(Duration timeout) {
    synchronized (this) {
      if (state == State.NEW) {
        state = State.STOPPED;
        return true;
      }
      if (state == State.RUNNING) {
        state = State.DRAINING;
        closeTimeout = timeout;
      }
    }
    boolean ended = awaitEnd(timeout);
    synchronized (this) {
      if (state == State.DRAINING) {
        state = State.STOPPED;
      }
    }
    return ended;
  }

  private boolean awaitEnd(Duration timeout) {
    try {
      boolean ended = pollerEnded.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
      writer.join(1000);
      if (writer.isAlive()) {
        writer.interrupt();
      }
      return ended;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    close(Duration.ofSeconds(25));
  }
}
