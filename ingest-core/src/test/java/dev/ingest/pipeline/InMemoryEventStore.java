package dev.ingest.pipeline;

import dev.ingest.event.Event;
import dev.ingest.pipeline.FaultInjection.Injected;
import dev.ingest.pipeline.FaultInjection.LostReply;
import dev.ingest.pipeline.FaultInjection.Point;
import dev.ingest.pipeline.FaultInjection.SqlState;
import dev.ingest.pipeline.InMemoryDatabase.SqlError;
import dev.ingest.pipeline.InMemoryDatabase.Transaction;
import dev.ingest.pipeline.WriteOutcome.Applied;
import dev.ingest.pipeline.WriteOutcome.Phases;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.HashText;
import dev.ingest.plan.KeyGroup;
import dev.ingest.plan.LockBudget;
import dev.ingest.plan.RejectedEvent;
import dev.ingest.plan.SqlStatePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A store in an {@link InMemoryDatabase}, which fails where it is told to. It passes the same
 * contract as the real one. Single-threaded.
 */
public final class InMemoryEventStore implements EventStore {
  /** Points where no statement carries an event. */
  private static final Set<Point> WITHOUT_EVENTS = Set.of(Point.CONNECT, Point.HASH, Point.STATUS);

  private final InMemoryDatabase database;
  private final String owner;
  private final FaultInjection faults;

  private @Nullable LockBudget known;
  private int session;

  /**
   * @param owner whose transactions these are
   */
  public InMemoryEventStore(InMemoryDatabase database, String owner, FaultInjection faults) {
    this.database = database;
    this.owner = owner;
    this.faults = faults;
    this.session = database.sessions();
  }

  @Override
  public LockBudget budget() {
    LockBudget current = known;
    if (current == null) {
      pass(Point.CONNECT);
      session = database.sessions();
      current = LockBudget.auto(database.maxLocks() + 1, 0);
      known = current;
    }
    return current;
  }

  @Override
  public int[] hash(List<String> keys) {
    budget();
    pass(Point.HASH);
    return keys.stream().mapToInt(HashText::hash).toArray();
  }

  @Override
  public TransactionStatus statusOf(String transactionId) {
    pass(Point.CONNECT);
    pass(Point.STATUS);
    return database.statusOf(transactionId);
  }

  @Override
  public WriteOutcome write(Chunk chunk, BooleanSupplier stillOurs) {
    budget();
    pass(Point.CONNECT);
    if (session != database.sessions()) {
      throw fault("57P01", false);
    }
    Transaction transaction = database.begin(owner);
    boolean ended = false;
    try {
      run(transaction, chunk);
      if (!stillOurs.getAsBoolean()) {
        ended = true;
        database.rollback(transaction);
        return new WriteOutcome.Withdrawn();
      }
      WriteOutcome outcome = commit(transaction, chunk);
      ended = true;
      faults.at(Point.COMMITTED);
      return outcome;
    } catch (SqlError refused) {
      ended = true;
      return refused(transaction, chunk, refused);
    } finally {
      if (!ended) { // the program crashed
        database.abandon(transaction, TransactionStatus.ABORTED);
      }
    }
  }

  private void run(Transaction transaction, Chunk chunk) throws SqlError {
    check(Point.LOCK);
    for (int lock : chunk.locks().ids()) {
      database.lock(transaction, lock);
    }
    check(Point.INSERT);
    for (KeyGroup group : chunk.groups()) {
      String key = group.key().value();
      if (group.deletes()) {
        database.delete(transaction, key);
      }
      if (group.stores()) {
        database.insert(transaction, key, group.first());
      }
      database.note(transaction, group);
    }
    chunk.parked().forEach(each -> database.park(transaction, each));
  }

  private WriteOutcome commit(Transaction transaction, Chunk chunk) throws SqlError {
    Applied applied = applied(transaction, chunk);
    Injected injected = faults.at(Point.COMMIT);
    try {
      if (injected instanceof SqlState sql) {
        throw new SqlError(sql.state());
      }
      if (injected == null) {
        database.commit(transaction);
        return applied;
      }
    } catch (SqlError failed) {
      if (SqlStatePolicy.of(failed.state()) != FaultKind.CONNECTION) {
        throw failed;
      }
      injected = new LostReply(TransactionStatus.ABORTED, false);
    }
    return lost(transaction, applied, (LostReply) injected);
  }

  private WriteOutcome lost(Transaction transaction, Applied ifCommitted, LostReply reply) {
    known = null;
    database.abandon(transaction, reply.fate());
    if (!reply.delayed()) {
      database.settle(transaction);
    }
    if (transaction.hasWritten()) {
      return new WriteOutcome.Unknown(transaction.id(), ifCommitted);
    }
    database.tookEffect(transaction);
    return ifCommitted;
  }

  private Applied applied(Transaction transaction, Chunk chunk) {
    int inserted = database.inserted(transaction);
    int deleted = database.deleted(transaction);
    return new Applied(
        inserted,
        chunk.storable() - inserted - deleted,
        chunk.parked().size(),
        deleted,
        Phases.NONE);
  }

  private WriteOutcome refused(Transaction transaction, Chunk chunk, SqlError refused) {
    FaultKind kind = SqlStatePolicy.of(refused.state());
    if (kind == FaultKind.CONNECTION) {
      database.abandon(transaction, TransactionStatus.ABORTED);
    } else {
      database.rollback(transaction);
    }
    if (kind != FaultKind.BAD_EVENT) {
      throw fault(refused.state(), true);
    }
    List<RejectedEvent> rejected = search(chunk);
    if (rejected.isEmpty()) {
      throw new StoreFault(FaultKind.TRANSIENT, refused.state(), "refused once", null);
    }
    return new WriteOutcome.Rejected(rejected);
  }

  private List<RejectedEvent> search(Chunk chunk) {
    List<RejectedEvent> rejected = new ArrayList<>();
    for (KeyGroup group : chunk.groups()) {
      if (!group.stores()) {
        continue;
      }
      Event first = group.first();
      String state = database.refuses(first);
      if (state != null) {
        rejected.add(new RejectedEvent(first, "the server refuses the row", state, null, null));
      }
    }
    return rejected;
  }

  private void check(Point point) throws SqlError {
    if (faults.at(point) instanceof SqlState sql) {
      throw new SqlError(sql.state());
    }
  }

  private void pass(Point point) {
    if (faults.at(point) instanceof SqlState sql) {
      throw fault(sql.state(), !WITHOUT_EVENTS.contains(point));
    }
  }

  private StoreFault fault(String state, boolean withEvents) {
    FaultKind kind = withEvents ? SqlStatePolicy.of(state) : SqlStatePolicy.withoutEvents(state);
    if (kind == FaultKind.CONNECTION) {
      known = null;
    }
    return new StoreFault(kind, state, "injected", null);
  }
}
