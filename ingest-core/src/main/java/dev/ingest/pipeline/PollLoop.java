package dev.ingest.pipeline;

import dev.ingest.event.TopicPartition;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;

/**
 * Polls without ever stopping, holds the source back while the handoff is full, commits the offsets
 * of what is done, and hands partitions over cleanly. Owned by the polling thread, which makes
 * every call. {@link #step} is one turn, so a thread or a simulation can drive it.
 */
final class PollLoop implements EventSource.Listener {
  private static final Duration IDLE_POLL = Duration.ofMillis(100);
  private static final Duration HELD_POLL = Duration.ofMillis(10);
  private static final Duration COMMIT_INTERVAL = Duration.ofMillis(100);
  private static final Duration COMMIT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration LAG_INTERVAL = Duration.ofSeconds(1);

  /** Lets the writer finish the batch that is out. */
  @FunctionalInterface
  interface Drain {
    /**
     * @return whether no event of these partitions is being written any more
     */
    boolean await(Collection<TopicPartition> partitions);
  }

  private final EventSource source;
  private final Handoff handoff;
  private final Drain drain;
  private final IngestEvents listener;
  private final InstantSource clock;

  private boolean held;
  private Instant nextCommit = Instant.EPOCH;
  private Instant nextLag = Instant.EPOCH;
  private volatile Instant lastTurn = Instant.EPOCH;

  PollLoop(
      EventSource source,
      Handoff handoff,
      Drain drain,
      IngestEvents listener,
      InstantSource clock) {
    this.source = source;
    this.handoff = handoff;
    this.drain = drain;
    this.listener = listener;
    this.clock = clock;
  }

  void start() {
    source.subscribe(this);
    lastTurn = clock.instant();
  }

  /** One turn: let go or poll, hold back, commit, tell the lag. */
  void step() {
    letGo();
    Polled polled = source.poll(held ? HELD_POLL : IDLE_POLL);
    Instant now = clock.instant();
    handoff.put(polled, now);
    holdBack();
    commit(now);
    tellLag(now);
    lastTurn = now;
  }

  /** When the last turn ended. From any thread. */
  Instant lastTurn() {
    return lastTurn;
  }

  /** Whether the source is held back, so that the next turn may wait for room. */
  boolean isHeld() {
    return held;
  }

  private void letGo() {
    if (held && handoff.hasRoom()) {
      source.resumeAll();
      held = false;
    }
  }

  private void holdBack() {
    if (!held && handoff.isFull()) {
      source.pauseAll();
      held = true;
    }
  }

  private void commit(Instant now) {
    if (now.isBefore(nextCommit)) {
      return;
    }
    SortedMap<TopicPartition, Long> offsets = handoff.uncommitted();
    if (offsets.isEmpty()) {
      return;
    }
    nextCommit = now.plus(COMMIT_INTERVAL);
    source.commit(offsets, () -> acknowledged(offsets, now));
  }

  private void tellLag(Instant now) {
    if (now.isBefore(nextLag)) {
      return;
    }
    nextLag = now.plus(LAG_INTERVAL);
    listener.progress(handoff.nextOffsets());
    listener.lag(handoff.behind(source.unread()));
  }

  private void acknowledged(Map<TopicPartition, Long> offsets, Instant since) {
    handoff.committed(offsets);
    listener.offsetsCommitted(offsets, Duration.between(since, clock.instant()));
  }

  /** Commits what is done and leaves the group. What was polled and not taken comes again. */
  void close(Duration timeout) {
    source.close(timeout);
  }

  @Override
  public void assigned(Collection<TopicPartition> partitions) {
    handoff.assign(partitions);
    if (held) {
      source.pauseAll(); // new partitions come unpaused, and this very poll may fetch from them
    }
    listener.assigned(partitions);
  }

  @Override
  public void revoked(Collection<TopicPartition> partitions) {
    handoff.release(partitions);
    boolean drained = drain.await(partitions);
    SortedMap<TopicPartition, Long> offsets = handoff.uncommitted();
    offsets.keySet().retainAll(partitions);
    Instant since = clock.instant();
    if (!offsets.isEmpty() && source.commitNow(offsets, COMMIT_TIMEOUT)) {
      acknowledged(offsets, since);
    }
    handoff.forget(partitions);
    listener.revoked(partitions, drained);
  }

  @Override
  public void lost(Collection<TopicPartition> partitions) {
    handoff.forget(partitions);
    listener.lost(partitions);
  }
}
