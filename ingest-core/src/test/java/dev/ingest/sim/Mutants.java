package dev.ingest.sim;

import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.BadEvents;
import dev.ingest.pipeline.EventSource;
import dev.ingest.pipeline.EventStore;
import dev.ingest.pipeline.IngestEvents;
import dev.ingest.pipeline.Polled;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.pipeline.WriteOutcome;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.KeyGroup;
import dev.ingest.plan.LockBudget;
import dev.ingest.plan.LockScheme;
import dev.ingest.plan.RejectedEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Bugs that somebody could write, each planted between the loops and a port. All in one piece: they
 * are read side by side, to see what is planted already.
 */
enum Mutants implements Plant {
  /** As automatic commits do: the offset moves with the poll. */
  COMMITS_OFFSETS_BEFORE_THE_TRANSACTION("I1", "I6") {
    @Override
    public EventSource source(EventSource real) {
      return new WrappedSource(real) {
        @Override
        public Polled poll(Duration timeout) {
          Polled polled = super.poll(timeout);
          if (!polled.positions().isEmpty()) {
            commit(polled.positions(), () -> {});
          }
          return polled;
        }
      };
    }
  },

  SKIPS_THE_SORT("I3") {
    @Override
    public EventStore store(EventStore real, EventSource source, IngestEvents listener) {
      return new WrappedStore(real) {
        @Override
        public WriteOutcome write(Chunk chunk) {
          List<KeyGroup> asPolled = new ArrayList<>(chunk.groups());
          Collections.reverse(asPolled);
          return super.write(chunk.parked().isEmpty() ? chunk.only(asPolled) : chunk);
        }
      };
    }
  },

  /** Relies on a unique index, also where there is none. */
  TAKES_NO_LOCKS("I2") {
    @Override
    public EventStore store(EventStore real, EventSource source, IngestEvents listener) {
      return new WrappedStore(real) {
        @Override
        public WriteOutcome write(Chunk chunk) {
          return super.write(
              Chunk.of(
                  chunk.route(), chunk.topic(), LockScheme.none(), chunk.groups(), chunk.parked()));
        }
      };
    }
  },

  /** Tells a lost transaction when it turns out to be committed, and again when it is repeated. */
  COUNTS_TWICE_AFTER_A_LOST_REPLY("I6") {
    @Override
    public EventStore store(EventStore real, EventSource source, IngestEvents listener) {
      return new WrappedStore(real) {
        private @Nullable Chunk last;
        private WriteOutcome.@Nullable Unknown lost;

        @Override
        public WriteOutcome write(Chunk chunk) {
          WriteOutcome outcome = super.write(chunk);
          last = chunk;
          lost = outcome instanceof WriteOutcome.Unknown unknown ? unknown : null;
          return outcome;
        }

        @Override
        public TransactionStatus statusOf(String transactionId) {
          TransactionStatus status = super.statusOf(transactionId);
          if (status == TransactionStatus.COMMITTED && last != null && lost != null) {
            listener.applied(last, lost.ifCommitted(), Instant.EPOCH);
          }
          return status;
        }
      };
    }
  },

  /** Never asks how it ended, and tells rows that it added as duplicates. */
  DOES_NOT_ASK_AFTER_A_LOST_REPLY("I6") {
    @Override
    public EventStore store(EventStore real, EventSource source, IngestEvents listener) {
      return new WrappedStore(real) {
        @Override
        public TransactionStatus statusOf(String transactionId) {
          return TransactionStatus.UNKNOWN;
        }
      };
    }
  },

  BELIEVES_A_LOST_REPLY("I1") {
    @Override
    public EventStore store(EventStore real, EventSource source, IngestEvents listener) {
      return new WrappedStore(real) {
        @Override
        public WriteOutcome write(Chunk chunk) {
          WriteOutcome outcome = super.write(chunk);
          return outcome instanceof WriteOutcome.Unknown unknown ? unknown.ifCommitted() : outcome;
        }
      };
    }
  },

  /** Parks the first event of a key and takes its repeats for duplicates of it. */
  DROPS_THE_REPEATS_OF_A_PARKED_EVENT("I6") {
    @Override
    public BadEvents badEvents(BadEvents real) {
      return (chunk, rejected, now) -> {
        Set<Event> bad = new HashSet<>(rejected.stream().map(RejectedEvent::event).toList());
        List<KeyGroup> kept =
            chunk.groups().stream()
                .filter(group -> !group.stores() || !bad.contains(group.first()))
                .toList();
        return chunk.only(kept).parking(chunk.parked()).parking(rejected);
      };
    }
  },

  /** What was lost is taken to be ours still, with the batch that is out. */
  FORGETS_NOTHING_OF_LOST_PARTITIONS("I6", "I1") {
    @Override
    public EventSource source(EventSource real) {
      return new WrappedSource(real) {
        @Override
        public void lost(Collection<TopicPartition> partitions) {}
      };
    }
  },

  KEEPS_THE_EVENTS_OF_REVOKED_PARTITIONS("I6", "I1") {
    @Override
    public EventSource source(EventSource real) {
      return new WrappedSource(real) {
        @Override
        public void revoked(Collection<TopicPartition> partitions) {}
      };
    }
  },

  TREATS_LOST_PARTITIONS_AS_REVOKED("I1") {
    @Override
    public EventSource source(EventSource real) {
      return new WrappedSource(real) {
        @Override
        public void lost(Collection<TopicPartition> partitions) {
          revoked(partitions);
        }
      };
    }
  },

  PARKS_WHEN_THE_ENVIRONMENT_IS_BROKEN("I8") {
    @Override
    public EventStore store(EventStore real, EventSource source, IngestEvents listener) {
      return new WrappedStore(real) {
        @Override
        public WriteOutcome write(Chunk chunk) {
          try {
            return super.write(chunk);
          } catch (StoreFault fault) {
            if (fault.kind() != FaultKind.ENVIRONMENT || chunk.storing() == 0) {
              throw fault;
            }
            return new WriteOutcome.Rejected(
                chunk.groups().stream()
                    .filter(KeyGroup::stores)
                    .map(group -> RejectedEvent.unreadable(group.first(), "refused"))
                    .toList());
          }
        }
      };
    }
  },

  TAKES_MORE_LOCKS_THAN_THE_BUDGET("I4") {
    @Override
    public EventStore store(EventStore real, EventSource source, IngestEvents listener) {
      return new WrappedStore(real) {
        @Override
        public LockBudget budget() {
          return LockBudget.auto(super.budget().advisoryLocks() + 2, 0);
        }
      };
    }
  },

  /** Calls Kafka's client from within a transaction, which then waits for the broker. */
  ASKS_THE_BROKER_WITHIN_A_TRANSACTION("I5") {
    @Override
    public EventStore store(EventStore real, EventSource source, IngestEvents listener) {
      return new WrappedStore(real) {
        @Override
        public WriteOutcome write(Chunk chunk) {
          source.pauseAll();
          return super.write(chunk);
        }
      };
    }
  },

  /** Deletes in a transaction of its own, after the one that inserts. */
  DELETES_OUT_OF_ORDER("I6", "order") {
    @Override
    public EventStore store(EventStore real, EventSource source, IngestEvents listener) {
      return new WrappedStore(real) {
        @Override
        public WriteOutcome write(Chunk chunk) {
          WriteOutcome outcome = super.write(chunk);
          List<KeyGroup> late =
              chunk.groups().stream()
                  .filter(group -> group.deletes() && group.stores())
                  .map(KeyGroup::deletionAlone)
                  .toList();
          if (outcome instanceof WriteOutcome.Applied && !late.isEmpty()) {
            super.write(chunk.only(late));
          }
          return outcome;
        }
      };
    }
  },

  /** Looks whose the partition is before the transaction alone. */
  WRITES_ON_WHAT_IT_LOST_MEANWHILE("order") {
    @Override
    public EventStore store(EventStore real, EventSource source, IngestEvents listener) {
      return new WrappedStore(real) {
        @Override
        public WriteOutcome write(Chunk chunk, BooleanSupplier stillOurs) {
          return super.write(chunk, () -> true);
        }
      };
    }
  },

  /** Takes a tombstone for the end of its key, whatever comes after it in the batch. */
  DROPS_WHAT_COMES_AFTER_A_TOMBSTONE("I1", "I6") {
    @Override
    public EventStore store(EventStore real, EventSource source, IngestEvents listener) {
      return new WrappedStore(real) {
        @Override
        public WriteOutcome write(Chunk chunk) {
          List<KeyGroup> ended =
              chunk.groups().stream()
                  .map(group -> group.deletes() ? group.deletionAlone() : group)
                  .toList();
          return super.write(chunk.parked().isEmpty() ? chunk.only(ended) : chunk);
        }
      };
    }
  },

  /** Logs the fault and goes on, as a catch block that means well. */
  DROPS_A_CHUNK_THAT_FAILS("I1") {
    @Override
    public EventStore store(EventStore real, EventSource source, IngestEvents listener) {
      return new WrappedStore(real) {
        @Override
        public WriteOutcome write(Chunk chunk) {
          try {
            return super.write(chunk);
          } catch (StoreFault fault) {
            return new WriteOutcome.Applied(
                0, chunk.storable(), chunk.parked().size(), WriteOutcome.Phases.NONE);
          }
        }
      };
    }
  };

  private final Set<String> promises;

  Mutants(String... promises) {
    this.promises = Set.of(promises);
  }

  /** Which promises it breaks. */
  Set<String> promises() {
    return promises;
  }
}
