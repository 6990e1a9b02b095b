package dev.ingest.sim;

import dev.ingest.pipeline.EventStore;
import dev.ingest.pipeline.WriteOutcome;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.LockBudget;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Passes every call on; a planted bug overrides one. */
class WrappedStore implements EventStore {
  private final EventStore real;
  private BooleanSupplier stillOurs = () -> true;

  WrappedStore(EventStore real) {
    this.real = real;
  }

  @Override
  public LockBudget budget() {
    return real.budget();
  }

  @Override
  public int[] hash(List<String> keys) {
    return real.hash(keys);
  }

  @Override
  public WriteOutcome write(Chunk chunk, BooleanSupplier asked) {
    stillOurs = asked;
    return write(chunk);
  }

  @Override
  public WriteOutcome write(Chunk chunk) {
    return real.write(chunk, stillOurs);
  }

  @Override
  public TransactionStatus statusOf(String transactionId) {
    return real.statusOf(transactionId);
  }
}
