package dev.ingest.pipeline;

import dev.ingest.event.TopicPartition;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * The two loops of one {@link IngestConsumer}, wired alike, but turned by hand instead of by two
 * threads. Lives here because the loops are nobody's business outside their package.
 */
public final class SteppedConsumer {
  private final Handoff handoff;
  private final PollLoop pollLoop;
  private final WriteLoop writeLoop;

  /**
   * @param random where retry delays come from
   * @param drain waits until {@link #isOut} is false, or gives up and returns false
   */
  public SteppedConsumer(
      ConsumerSettings settings,
      EventSource source,
      EventStore store,
      IngestEvents listener,
      InstantSource clock,
      RandomGenerator random,
      Predicate<Collection<TopicPartition>> drain) {
    handoff = new Handoff(settings.limits(), listener);
    FaultResponse faults =
        new FaultResponse(ConsumerSettings.QUICK, ConsumerSettings.SLOW, random, listener);
    writeLoop = new WriteLoop(handoff, store, settings, faults, listener, clock);
    pollLoop = new PollLoop(source, handoff, drain::test, listener, clock);
  }

  public void start() {
    pollLoop.start();
  }

  /** One turn of the polling thread. */
  public void poll() {
    pollLoop.step();
  }

  /** One turn of the writing thread; how long it waits before the next. */
  public Duration write() {
    return writeLoop.step();
  }

  /** What the polling thread does last. */
  public void close(Duration timeout) {
    pollLoop.close(timeout);
    handoff.close();
  }

  /** Whether the writer has events of these partitions at hand. */
  public boolean isOut(Collection<TopicPartition> partitions) {
    return handoff.isOut(partitions);
  }

  public boolean isPaused() {
    return writeLoop.isPaused();
  }

  public boolean isIdle() {
    return writeLoop.isIdle();
  }

  /** Events polled and not done, of the partitions that are ours. */
  public long pending() {
    return handoff.pending();
  }
}
