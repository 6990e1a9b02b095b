package dev.ingest.sim;

import dev.ingest.pipeline.EventStore;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.pipeline.WriteOutcome;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.KeyGroup;
import dev.ingest.plan.LockBudget;
import dev.ingest.plan.RejectedEvent;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Looks at everything that reaches the store: in which order locks and rows come (I3). */
final class CheckedStore implements EventStore {
  /** A chunk in words. */
  private record Words(Chunk chunk) {
    @Override
    public String toString() {
      List<?> groups = chunk.groups().stream().map(KeyGroup::events).toList();
      List<?> parked = chunk.parked().stream().map(RejectedEvent::event).toList();
      return groups + (parked.isEmpty() ? "" : " parking " + parked);
    }
  }

  private final EventStore store;
  private final String name;
  private final History history;
  private final UnaryOperator<TransactionStatus> memory;
  private final Consumer<Chunk> commits;

  /**
   * @param memory what the server still knows of a status
   * @param commits told of a chunk that is about to be committed, while its locks are held
   */
  CheckedStore(
      EventStore store,
      String name,
      History history,
      UnaryOperator<TransactionStatus> memory,
      Consumer<Chunk> commits) {
    this.memory = memory;
    this.commits = commits;
    this.store = store;
    this.name = name;
    this.history = history;
  }

  @Override
  public LockBudget budget() {
    return store.budget();
  }

  @Override
  public int[] hash(List<String> keys) {
    return store.hash(keys);
  }

  @Override
  public WriteOutcome write(Chunk chunk, BooleanSupplier stillOurs) {
    requireAscendingLocks(chunk.locks().ids());
    requireAscendingRows(chunk.groups());
    try {
      WriteOutcome outcome = store.write(chunk, () -> mayCommit(chunk, stillOurs));
      history.add(name, "writes", new Words(chunk), outcome);
      return outcome;
    } catch (StoreFault fault) {
      history.add(name, "can't write", new Words(chunk), fault.kind(), fault.sqlState());
      throw fault;
    }
  }

  private boolean mayCommit(Chunk chunk, BooleanSupplier stillOurs) {
    boolean may = stillOurs.getAsBoolean();
    if (may) {
      commits.accept(chunk);
    }
    return may;
  }

  @Override
  public TransactionStatus statusOf(String transactionId) {
    TransactionStatus status = memory.apply(store.statusOf(transactionId));
    history.add(name, "is told that", transactionId, "is", status);
    return status;
  }

  private static void requireAscendingLocks(int[] ids) {
    for (int i = 1; i < ids.length; i++) {
      if (ids[i - 1] >= ids[i]) {
        throw new Violation("I3", "lock " + ids[i] + " is taken after " + ids[i - 1]);
      }
    }
  }

  private static void requireAscendingRows(List<KeyGroup> groups) {
    for (int i = 1; i < groups.size(); i++) {
      if (groups.get(i - 1).hash() > groups.get(i).hash()) {
        throw new Violation(
            "I3", "row of " + groups.get(i).hash() + " comes after " + groups.get(i - 1).hash());
      }
    }
  }
}
