package dev.ingest.pipeline;

import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import dev.ingest.plan.OffsetTracker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What lies between the polling thread and the writing thread: the events that wait, the batch that
 * is being written, and the offsets that follow from it. Thread-safe; one monitor guards all of it.
 * At most one batch is out at a time.
 */
final class Handoff {
  static final Duration FOREVER = Duration.ofDays(1);

  /** What of a taken batch belongs to one partition. */
  private record Extent(int events, long lastOffset) {
    Extent and(Extent later) {
      return new Extent(events + later.events, later.lastOffset);
    }
  }

  private final BatchLimits limits;
  private final IngestEvents listener;

  private final OffsetTracker tracker = new OffsetTracker();
  private final ArrayDeque<Event> waiting = new ArrayDeque<>();
  private long waitingBytes;
  private Instant oldest = Instant.MAX;
  private @Nullable Map<TopicPartition, Extent> inFlight;
  private long inFlightBytes;
  private int inFlightEvents;
  private boolean closed;

  /** Partitions of the batch that is out that are ours no more. */
  private Set<TopicPartition> gone = Set.of();

  Handoff(BatchLimits limits, IngestEvents listener) {
    this.limits = limits;
    this.listener = listener;
  }

  synchronized void assign(Collection<TopicPartition> partitions) {
    tracker.assign(partitions);
    partitions.forEach(partition -> listener.polled(partition.topic(), 0));
  }

  /** Takes in what was polled. */
  synchronized void put(Polled polled, Instant now) {
    Map<TopicPartition, Integer> counts = new HashMap<>();
    for (Event polledEvent : polled.events()) {
      Event event =
          polledEvent.sizeBytes() > limits.maxBytes() ? polledEvent.reference() : polledEvent;
      waiting.add(event);
      waitingBytes += event.sizeBytes();
      counts.merge(event.partition(), 1, Integer::sum);
    }
    polled
        .positions()
        .forEach(
            (partition, position) ->
                tracker.polled(partition, counts.getOrDefault(partition, 0), position));
    counts.forEach((partition, events) -> listener.polled(partition.topic(), events));
    if (!counts.isEmpty()) {
      if (oldest.equals(Instant.MAX)) {
        oldest = now;
      }
      notifyAll();
    }
  }

  /** Takes the next batch out, or nothing where none is ready yet. */
  synchronized List<Event> take(Instant now) {
    if (inFlight != null) {
      throw new IllegalStateException("A batch is out already.");
    }
    if (waiting.isEmpty() || !untilReady(now).isZero()) {
      return List.of();
    }
    List<Event> batch = new ArrayList<>(Math.min(waiting.size(), limits.maxEvents()));
    long bytes = 0;
    while (!waiting.isEmpty() && batch.size() < limits.maxEvents()) {
      long size = waiting.element().sizeBytes();
      if (!batch.isEmpty() && bytes + size > limits.maxBytes()) {
        break;
      }
      bytes += size;
      batch.add(waiting.remove());
    }
    waitingBytes -= bytes;
    inFlightBytes = bytes;
    inFlightEvents = batch.size();
    oldest = waiting.isEmpty() ? Instant.MAX : now;
    inFlight = extents(batch);
    notifyAll(); // there may be room now
    return batch;
  }

  /** Polled events come in runs of one partition. */
  private static Map<TopicPartition, Extent> extents(List<Event> batch) {
    Map<TopicPartition, Extent> extents = new HashMap<>();
    int from = 0;
    for (int i = 1; i <= batch.size(); i++) {
      Event last = batch.get(i - 1);
      if (i == batch.size() || !batch.get(i).partition().equals(last.partition())) {
        extents.merge(last.partition(), new Extent(i - from, last.offset()), Extent::and);
        from = i;
      }
    }
    return extents;
  }

  /** How long until the waiting events make a batch; zero where they do. */
  synchronized Duration untilReady(Instant now) {
    if (waiting.isEmpty()) {
      return FOREVER;
    }
    if (waiting.size() >= limits.maxEvents() || waitingBytes >= limits.maxBytes()) {
      return Duration.ZERO;
    }
    Duration left = Duration.between(now, oldest.plus(limits.linger()));
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** The batch that is out is done, all of it. */
  synchronized void done() {
    if (inFlight == null) {
      throw new IllegalStateException("No batch is out.");
    }
    inFlight.forEach(
        (partition, extent) -> tracker.done(partition, extent.events, extent.lastOffset));
    inFlight = null;
    gone = Set.of();
    inFlightBytes = 0;
    inFlightEvents = 0;
    notifyAll();
  }

  /** Lets go of the waiting events of partitions that are leaving us. */
  synchronized void release(Collection<TopicPartition> partitions) {
    Map<String, Integer> released = new HashMap<>();
    waiting.removeIf(
        event -> {
          if (!partitions.contains(event.partition())) {
            return false;
          }
          waitingBytes -= event.sizeBytes();
          released.merge(event.partition().topic(), 1, Integer::sum);
          return true;
        });
    if (waiting.isEmpty()) {
      oldest = Instant.MAX;
    }
    released.forEach(listener::released);
  }

  /**
   * Forgets partitions that are ours no more. No offset follows from their share of a batch that is
   * out, even if they come back in the meantime. It is written all the same, but for what has to
   * keep the topic's order.
   */
  synchronized void forget(Collection<TopicPartition> partitions) {
    release(partitions);
    tracker.drop(partitions);
    if (inFlight != null) {
      Set<TopicPartition> leaving = new HashSet<>(partitions);
      leaving.retainAll(inFlight.keySet());
      inFlight.keySet().removeAll(leaving);
      leaving.addAll(gone);
      gone = Set.copyOf(leaving);
    }
  }

  /**
   * Partitions of which the batch that is out holds events, though they are ours no more, or not as
   * they were: who reads them now begins anew. Only grows until the batch is done. Immutable.
   */
  synchronized Set<TopicPartition> gone() {
    return gone;
  }

  /** Whether the batch that is out holds events of one of these partitions. */
  synchronized boolean isOut(Collection<TopicPartition> partitions) {
    return inFlight != null && partitions.stream().anyMatch(inFlight::containsKey);
  }

  /** Whether so much waits or is being written that the source should pause. */
  synchronized boolean isFull() {
    return waiting.size() + inFlightEvents >= limits.bufferEvents()
        || waitingBytes + inFlightBytes >= limits.bufferBytes();
  }

  /** Whether so little waits that a paused source should go on. */
  synchronized boolean hasRoom() {
    return !isFull()
        && waiting.size() <= limits.maxEvents()
        && waitingBytes <= limits.bufferBytes() / 2;
  }

  synchronized SortedMap<TopicPartition, Long> uncommitted() {
    return tracker.uncommitted();
  }

  synchronized void committed(Map<TopicPartition, Long> offsets) {
    tracker.committed(offsets);
  }

  /** The offset after the last event that is done, by partition; absent until one is. */
  synchronized Map<TopicPartition, Long> nextOffsets() {
    return tracker.nextOffsets();
  }

  /** What is not done of each of these partitions, given what is not read of them. */
  synchronized Map<TopicPartition, Long> behind(Map<TopicPartition, Long> unread) {
    Map<TopicPartition, Long> behind = new HashMap<>();
    unread.forEach(
        (partition, offsets) -> {
          if (tracker.isAssigned(partition)) {
            behind.put(partition, offsets + tracker.pending(partition));
          }
        });
    return behind;
  }

  /** Events polled and not done. */
  synchronized long pending() {
    return tracker.pending();
  }

  /** Waits, as long as {@code limit} at most, until a batch is ready. For the writing thread. */
  synchronized void awaitReady(InstantSource clock, Duration limit) throws InterruptedException {
    Instant end = clock.instant().plus(limit);
    Instant now = clock.instant();
    while (!closed && now.isBefore(end) && !untilReady(now).isZero()) {
      Duration left = Duration.between(now, end);
      Duration ready = untilReady(now);
      pause(ready.compareTo(left) < 0 ? ready : left);
      now = clock.instant();
    }
  }

  /** Waits until {@link #close}, as long as {@code limit} at most. */
  synchronized void awaitClosed(InstantSource clock, Duration limit) throws InterruptedException {
    await(() -> false, clock, limit);
  }

  /** Waits, as long as {@code limit} at most, until there is room. For the polling thread. */
  synchronized void awaitRoom(InstantSource clock, Duration limit) throws InterruptedException {
    await(this::hasRoom, clock, limit);
  }

  private void await(BooleanSupplier done, InstantSource clock, Duration limit)
      throws InterruptedException {
    Instant end = clock.instant().plus(limit);
    Instant now = clock.instant();
    while (!closed && now.isBefore(end) && !done.getAsBoolean()) {
      pause(Duration.between(now, end));
      now = clock.instant();
    }
  }

  /** Waits a moment for the batch that is out to be done. */
  synchronized void awaitDone(Collection<TopicPartition> partitions, Duration moment)
      throws InterruptedException {
    if (isOut(partitions)) {
      pause(moment);
    }
  }

  @SuppressWarnings("WaitNotInLoop") // every caller looks at the state again
  private void pause(Duration time) throws InterruptedException {
    wait(Math.max(1, time.toMillis()));
  }

  /** Ends the writing thread: nothing is taken out any more. Idempotent. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  synchronized boolean isClosed() {
    return closed;
  }
}
