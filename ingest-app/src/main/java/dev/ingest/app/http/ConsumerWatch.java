package dev.ingest.app.http;

import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.IngestConsumer;
import dev.ingest.pipeline.IngestEvents;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.pipeline.WriteOutcome;
import dev.ingest.plan.Chunk;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Keeps what one consumer tells, for health and console. Give it to the consumer as a listener,
 * then ask for its {@link #status}. Thread-safe; one short monitor, entered once a chunk.
 */
public final class ConsumerWatch implements IngestEvents {
  private static final int FAULTS_KEPT = 8;

  private final String name;
  private final InstantSource clock;

  // guarded by this
  private final Map<String, TopicCounts> topics = new HashMap<>();
  private final SortedMap<TopicPartition, Optional<Long>> partitions = new TreeMap<>();
  private final ArrayDeque<FaultNote> faults = new ArrayDeque<>();
  private Optional<FaultNote> pause = Optional.empty();
  private final ProgressWatch progress = new ProgressWatch();
  private boolean joined;
  private Instant lastCommit = Instant.EPOCH;

  public ConsumerWatch(String name, InstantSource clock) {
    this.name = name;
    this.clock = clock;
  }

  /** How the consumer is now. */
  public synchronized ConsumerStatus status(IngestConsumer consumer) {
    return status(consumer.state(), consumer.lastPoll(), consumer.lastWrite());
  }

  synchronized ConsumerStatus status(
      IngestConsumer.State state, Instant lastPoll, Instant lastWrite) {
    return new ConsumerStatus(
        name,
        state,
        pause,
        joined,
        partitions,
        pause.isPresent() ? new TreeMap<>() : progress.standing(clock.instant()),
        lastPoll,
        lastWrite,
        lastCommit,
        topics,
        List.copyOf(faults));
  }

  private void count(String topic, TopicCounts counts) {
    topics.merge(topic, counts, TopicCounts::plus);
  }

  private void note(FaultNote fault) {
    faults.addFirst(fault);
    if (faults.size() > FAULTS_KEPT) {
      faults.removeLast();
    }
  }

  @Override
  public synchronized void polled(String topic, int events) {
    count(topic, new TopicCounts(events, 0, 0, 0, 0, 0, 0));
  }

  @Override
  public synchronized void released(String topic, int events) {
    count(topic, new TopicCounts(0, events, 0, 0, 0, 0, 0));
  }

  @Override
  public synchronized void applied(Chunk chunk, WriteOutcome.Applied applied, Instant at) {
    count(
        chunk.topic(),
        new TopicCounts(
            0,
            0,
            applied.inserted(),
            applied.duplicates(),
            applied.parked(),
            0,
            applied.deleted()));
    progress.applied(clock.instant());
    if (!applied.phases().equals(WriteOutcome.Phases.NONE)) {
      lastCommit = at;
    }
  }

  @Override
  public synchronized void deadLettered(String topic, int events) {
    count(topic, new TopicCounts(0, 0, 0, 0, events, 0, 0));
  }

  @Override
  public synchronized void skipped(String topic, int events) {
    count(topic, new TopicCounts(0, 0, 0, 0, 0, events, 0));
  }

  /** A pause is noted again only where another fault is the cause by now. */
  @Override
  public synchronized void retrying(StoreFault fault, int attempt, Duration delay) {
    progress.explained(clock.instant());
    FaultNote note = FaultNote.of(clock.instant(), name, fault);
    if (pause.isEmpty()) {
      note(note);
    } else if (!pause.get().sqlState().equals(note.sqlState())) {
      paused(fault);
    }
  }

  @Override
  public synchronized void paused(StoreFault fault) {
    FaultNote note = FaultNote.of(clock.instant(), name, fault);
    pause = Optional.of(note);
    note(note);
  }

  @Override
  public synchronized void resumed(Duration pausedFor) {
    progress.explained(clock.instant());
    pause = Optional.empty();
  }

  @Override
  public synchronized void batchDone(int events, Duration took) {
    progress.batchDone(clock.instant());
  }

  @Override
  public synchronized void assigned(Collection<TopicPartition> assigned) {
    joined = true;
    progress.forget(assigned);
    assigned.forEach(partition -> partitions.put(partition, Optional.empty()));
  }

  @Override
  public synchronized void revoked(Collection<TopicPartition> gone, boolean drained) {
    progress.forget(gone);
    gone.forEach(partitions::remove);
  }

  @Override
  public synchronized void lost(Collection<TopicPartition> gone) {
    progress.forget(gone);
    gone.forEach(partitions::remove);
    joined = false;
  }

  @Override
  public synchronized void progress(Map<TopicPartition, Long> nextOffsets) {
    progress.progress(nextOffsets, clock.instant());
  }

  @Override
  public synchronized void lag(Map<TopicPartition, Long> events) {
    progress.lag(events, clock.instant());
    events.forEach(
        (partition, lag) -> partitions.computeIfPresent(partition, (p, old) -> Optional.of(lag)));
  }

  @Override
  public synchronized void failed(Throwable cause) {
    note(FaultNote.failed(clock.instant(), name, cause));
  }
}
