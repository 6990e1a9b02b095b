package dev.ingest.pipeline;

import dev.ingest.event.Event;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import dev.ingest.event.TopicPartition;
import dev.ingest.plan.Chunk;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * Writes events that come from anywhere, each business key once, without Kafka. Blocks until they
 * are stored. One thread at a time.
 */
public final class EventWriter {
  private final EventStore store;
  private final ConsumerSettings settings;
  private final InstantSource clock = InstantSource.system();

  /**
   * What became of the events of one call, exactly.
   *
   * @param inserted events whose key was new
   * @param duplicates events that changed nothing: their key was there, or came before in the same
   *     call
   * @param parked events that can't be stored, kept beside the target
   * @param skipped events that the reader passes over
   * @param deleted events that took the row of their key away
   */
  public record Result(int inserted, int duplicates, int parked, int skipped, int deleted) {
    /** Without deletions. */
    public Result(int inserted, int duplicates, int parked, int skipped) {
      this(inserted, duplicates, parked, skipped, 0);
    }
  }

  public EventWriter(EventStore store, ConsumerSettings settings) {
    this.store = Objects.requireNonNull(store, "store");
    this.settings = Objects.requireNonNull(settings, "settings");
  }

  /**
   * Writes all events, in transactions below the lock budget. Transient faults and lost connections
   * are tried again until the time is over.
   *
   * @param events any number; positions say where each came from, and need not ascend
   * @param timeout how long to go on trying
   * @throws IngestException where the time is over or no retry helps; a part of the events may be
   *     stored then, and writing all of them again is safe
   */
  public Result write(List<Event> events, Duration timeout) {
    if (events.isEmpty()) {
      return new Result(0, 0, 0, 0);
    }
    Sum sum = new Sum();
    Handoff handoff = new Handoff(limits(events), new RoutedEvents(sum, settings.routes()));
    handoff.assign(lastOffsets(events).keySet());
    handoff.put(new Polled(events, lastOffsets(events)), clock.instant());
    FaultResponse faults =
        new FaultResponse(
            ConsumerSettings.QUICK, ConsumerSettings.SLOW, new SplittableRandom(), sum);
    WriteLoop loop = new WriteLoop(handoff, store, settings, faults, sum, clock);
    Instant deadline = clock.instant().plus(timeout);
    while (handoff.pending() > 0) {
      pause(handoff, loop.step(), deadline);
    }
    return sum.result();
  }

  private static BatchLimits limits(List<Event> events) {
    return new BatchLimits(
        events.size(), Long.MAX_VALUE, Duration.ZERO, events.size(), Long.MAX_VALUE);
  }

  private static Map<TopicPartition, Long> lastOffsets(List<Event> events) {
    Map<TopicPartition, Long> next = new HashMap<>();
    events.forEach(event -> next.merge(event.partition(), event.offset() + 1, Math::max));
    return next;
  }

  private void pause(Handoff handoff, Duration pause, Instant deadline) {
    if (pause.isZero() || handoff.pending() == 0) {
      return;
    }
    Duration left = Duration.between(clock.instant(), deadline);
    if (left.compareTo(pause) < 0) {
      throw new IngestException(
          Code.STORE_FAILED,
          "events not stored in time, pending="
              + handoff.pending()
              + ". Writing all of them again is safe.");
    }
    try {
      handoff.awaitClosed(clock, pause);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IngestException(
          Code.STORE_FAILED, "interrupted. Writing all events again is safe.", stopped);
    }
  }

  private static final class Sum implements IngestEvents {
    private int inserted;
    private int duplicates;
    private int parked;
    private int skipped;
    private int deleted;

    @Override
    public void applied(Chunk chunk, WriteOutcome.Applied applied, Instant at) {
      inserted += applied.inserted();
      duplicates += applied.duplicates();
      parked += applied.parked();
      deleted += applied.deleted();
    }

    @Override
    public void deadLettered(String topic, int events) {
      parked += events;
    }

    @Override
    public void skipped(String topic, int events) {
      skipped += events;
    }

    Result result() {
      return new Result(inserted, duplicates, parked, skipped, deleted);
    }
  }
}
