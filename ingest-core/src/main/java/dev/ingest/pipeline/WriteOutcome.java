package dev.ingest.pipeline;

import dev.ingest.plan.RejectedEvent;
import java.time.Duration;
import java.util.List;

/** What one transaction led to. Faults are not here: they are thrown as {@link StoreFault}. */
public sealed interface WriteOutcome {

  /**
   * The transaction is committed.
   *
   * @param inserted rows that are new
   * @param duplicates events that changed nothing: their key was already there or came before in
   *     the same chunk, a deletion came after them in it, or there was nothing to delete
   * @param parked events kept beside the target with a reason
   * @param deleted events that took the row of their key away
   */
  record Applied(int inserted, int duplicates, int parked, int deleted, Phases phases)
      implements WriteOutcome {
    /** Without deletions. */
    public Applied(int inserted, int duplicates, int parked, Phases phases) {
      this(inserted, duplicates, parked, 0, phases);
    }

    @Override
    public <R> R fold(Cases<R> cases) {
      return cases.applied(this);
    }
  }

  /** The reply to COMMIT was lost: ask {@link EventStore#statusOf} on a new connection. */
  record Unknown(String transactionId, Applied ifCommitted) implements WriteOutcome {
    @Override
    public <R> R fold(Cases<R> cases) {
      return cases.unknown(this);
    }
  }

  /** Rolled back: these events can't be stored, whatever is tried; the others can. Not empty. */
  record Rejected(List<RejectedEvent> events) implements WriteOutcome {
    public Rejected {
      events = List.copyOf(events);
      if (events.isEmpty()) {
        throw new IllegalArgumentException("A rejection names at least one event.");
      }
    }

    @Override
    public <R> R fold(Cases<R> cases) {
      return cases.rejected(this);
    }
  }

  /** Rolled back, because the chunk is not ours any more, or not all of it. */
  record Withdrawn() implements WriteOutcome {
    @Override
    public <R> R fold(Cases<R> cases) {
      return cases.withdrawn(this);
    }
  }

  /** Where the time of a transaction went. */
  record Phases(Duration lock, Duration insert, Duration commit) {
    public static final Phases NONE = new Phases(Duration.ZERO, Duration.ZERO, Duration.ZERO);
  }

  <R> R fold(Cases<R> cases);

  /** One branch for each outcome. */
  interface Cases<R> {
    R applied(Applied applied);

    R unknown(Unknown unknown);

    R rejected(Rejected rejected);

    R withdrawn(Withdrawn withdrawn);
  }
}
