package dev.ingest.app.bench.strategies;

import dev.ingest.pipeline.EventStore;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.pipeline.WriteOutcome;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.LockBudget;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/** Counts the transactions that have to be run again. */
record CountingStore(EventStore store, LongAdder retries) implements EventStore {
  @Override
  public WriteOutcome write(Chunk chunk, BooleanSupplier stillOurs) {
    try {
      return store.write(chunk, stillOurs);
    } catch (StoreFault fault) {
      retries.increment();
      throw fault;
    }
  }

  @Override
  public LockBudget budget() {
    return store.budget();
  }

  @Override
  public TransactionStatus statusOf(String transactionId) {
    return store.statusOf(transactionId);
  }

  @Override
  public int[] hash(List<String> keys) {
    return store.hash(keys);
  }
}
