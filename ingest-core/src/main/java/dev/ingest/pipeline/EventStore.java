package dev.ingest.pipeline;

import dev.ingest.plan.Chunk;
import dev.ingest.plan.KeyHasher;
import dev.ingest.plan.LockBudget;

/**
 * Where events are stored. One thread at a time. Every method may throw {@link StoreFault}; all of
 * them may then be called again, whatever was lost.
 */
public interface EventStore extends KeyHasher {

  /** How a transaction ended. */
  enum TransactionStatus {
    COMMITTED,
    ABORTED,
    IN_PROGRESS,
    /** Too old for the server to know, or the server can't tell: write again, idempotently. */
    UNKNOWN
  }

  /** Locks that one transaction may take, as the server that is connected now allows. */
  LockBudget budget();

  /**
   * Writes a chunk in one transaction: locks in ascending order, then rows that go and rows that
   * come in the same order, then COMMIT. Writing the same chunk again ends in the same rows.
   */
  WriteOutcome write(Chunk chunk);

  /** How the transaction of a {@link WriteOutcome.Unknown} ended. */
  TransactionStatus statusOf(String transactionId);
}
