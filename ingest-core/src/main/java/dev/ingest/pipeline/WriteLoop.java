package dev.ingest.pipeline;

import dev.ingest.event.Event;
import dev.ingest.event.IngestException;
import dev.ingest.event.TopicPartition;
import dev.ingest.plan.BadShare;
import dev.ingest.plan.Batch;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.FaultKind;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes batches from the handoff and writes them, chunk by chunk, until each is done. A state
 * machine: {@link #step} does at most one transaction and says how long to wait before the next
 * call, so a thread or a simulation can drive it. Single-threaded.
 */
final class WriteLoop {
  private final Handoff handoff;
  private final EventStore store;
  private final ConsumerSettings settings;
  private final FaultResponse faults;
  private final IngestEvents listener;
  private final InstantSource clock;

  private @Nullable List<Event> taken;
  private @Nullable Batch batch;
  private WriteOutcome.@Nullable Unknown unresolved;
  private final UntoldRows untold = new UntoldRows();
  private final BadShare badShare;

  private Instant takenAt = Instant.EPOCH;

  WriteLoop(
      Handoff handoff,
      EventStore store,
      ConsumerSettings settings,
      FaultResponse faults,
      IngestEvents listener,
      InstantSource clock) {
    this.handoff = handoff;
    this.store = store;
    this.settings = settings;
    this.faults = faults;
    this.listener = listener;
    this.clock = clock;
    this.badShare = new BadShare(settings.badShare());
  }

  /** Whether no batch is being written: the next step depends on the handoff alone. */
  boolean isIdle() {
    return taken == null;
  }

  /** Whether writing stands still because of the environment. */
  boolean isPaused() {
    return faults.isPaused();
  }

  /**
   * Does the next piece of work.
   *
   * @return how long to wait before the next call, zero for not at all
   * @throws IngestException where going on would lose an event or needs a person
   */
  Duration step() {
    try {
      if (unresolved != null) {
        return resolve(unresolved);
      }
      if (taken == null && !take()) {
        return handoff.untilReady(clock.instant());
      }
      return write();
    } catch (StoreFault fault) {
      return faults.respond(fault, clock.instant());
    }
  }

  private boolean take() {
    List<Event> events = handoff.take(clock.instant());
    if (events.isEmpty()) {
      return false;
    }
    taken = events;
    takenAt = clock.instant();
    return true;
  }

  private Duration write() {
    List<Event> events = Objects.requireNonNull(taken);
    if (batch == null) {
      batch = Batch.of(events, settings.locks(), settings.routes(), store);
    }
    Set<TopicPartition> gone = handoff.gone();
    letGo(batch, gone);
    if (!batch.hasNext()) {
      return finish(events, batch);
    }
    if (!batch.refused().isEmpty()) {
      decide(batch);
    }
    Chunk chunk = batch.head(faults.maxLocks(store.budget()));
    if (chunk.isEmpty()) {
      applied(batch, new WriteOutcome.Applied(0, 0, 0, WriteOutcome.Phases.NONE));
      return Duration.ZERO;
    }
    return store.write(chunk, stillOurs(chunk, gone)).fold(new Outcomes(batch));
  }

  /**
   * Where rows are deleted, nothing is written any more of partitions that went: who reads them now
   * may have come further, and a row would come back, or go, out of order.
   */
  private void letGo(Batch current, Set<TopicPartition> gone) {
    if (!gone.isEmpty()) {
      current
          .letGo(gone, settings.routes()::deletes)
          .forEach(each -> listener.released(each.route(), each.topic(), each.events()));
    }
  }

  private BooleanSupplier stillOurs(Chunk chunk, Set<TopicPartition> gone) {
    return settings.routes().deletes(chunk.route())
        ? () -> handoff.gone().equals(gone)
        : () -> true;
  }

  private void decide(Batch current) {
    Instant now = clock.instant();
    Batch.Share share = current.share();
    if (!badShare.allows(share.bad(), share.events(), now)) {
      current.undecide();
      throw new StoreFault(
          FaultKind.ENVIRONMENT,
          null,
          "too many events can't be stored, none of them is kept: bad="
              + share.bad()
              + " events="
              + share.events()
              + " maxShare="
              + settings.badShare().share()
              + ". Mend what refuses them, or allow a larger share and start again",
          null);
    }
    Chunk before = current.head();
    int refused = current.refused().size();
    Chunk instead = settings.badEvents().handle(before, current.refused(), now);
    current.decide(instead);
    int elsewhere = refused - (instead.parked().size() - before.parked().size());
    badShare.done(0, elsewhere, now);
  }

  /**
   * Asks how a transaction ended whose reply was lost. Whatever the answer, the chunk is written
   * again: that changes nothing where it was committed, and saves it where the server that answers
   * is not the one that committed. The answer decides the counts alone.
   */
  private Duration resolve(WriteOutcome.Unknown lost) {
    EventStore.TransactionStatus status = store.statusOf(lost.transactionId());
    if (status == EventStore.TransactionStatus.IN_PROGRESS) {
      return faults.stillInProgress();
    }
    unresolved = null;
    if (status == EventStore.TransactionStatus.COMMITTED) {
      Batch current = Objects.requireNonNull(batch);
      untold.add(current.head(), lost.ifCommitted(), current.size());
    }
    return Duration.ZERO;
  }

  private void applied(Batch current, WriteOutcome.Applied outcome) {
    Instant now = clock.instant();
    Chunk written = current.head();
    WriteOutcome.Applied exact = untold.tell(written, outcome);
    current.advance();
    badShare.done(written.storable(), written.parked().size(), now);
    untold.forgetBehind(current.size());
    faults.succeeded(now);
    listener.applied(written, exact, now);
  }

  private Duration finish(List<Event> events, Batch finished) {
    taken = null;
    batch = null;
    finished.skipped().forEach(each -> listener.skipped(each.route(), each.topic(), each.events()));
    handoff.done();
    listener.batchDone(events.size(), Duration.between(takenAt, clock.instant()));
    return Duration.ZERO;
  }

  /** What follows from an outcome. */
  private final class Outcomes implements WriteOutcome.Cases<Duration> {
    private final Batch current;

    Outcomes(Batch current) {
      this.current = current;
    }

    @Override
    public Duration applied(WriteOutcome.Applied applied) {
      WriteLoop.this.applied(current, applied);
      return Duration.ZERO;
    }

    @Override
    public Duration unknown(WriteOutcome.Unknown unknown) {
      unresolved = unknown;
      return Duration.ZERO;
    }

    @Override
    public Duration withdrawn(WriteOutcome.Withdrawn withdrawn) {
      return Duration.ZERO; // the next step lets go of what went
    }

    @Override
    public Duration rejected(WriteOutcome.Rejected rejected) {
      current.refuse(rejected.events());
      return Duration.ZERO;
    }
  }
}
