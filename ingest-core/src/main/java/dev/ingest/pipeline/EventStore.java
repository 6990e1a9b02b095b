package dev.ingest.pipeline;

import dev.ingest.plan.Chunk;
import dev.ingest.plan.KeyHasher;
import dev.ingest.plan.LockBudget;
import java.util.function.BooleanSupplier;

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
   *
   * @param stillOurs asked while the locks are held, right before COMMIT: where it says no, the
   *     transaction is rolled back ({@link WriteOutcome.Withdrawn}). Who gets the events next waits
   *     for the locks, so nothing of it can come before what was let through
   */
  WriteOutcome write(Chunk chunk, BooleanSupplier stillOurs);

  /** Writes a chunk, whoever reads its partitions by now. */
  default WriteOutcome write(Chunk chunk) {
    return write(chunk, () -> true);
  }

  /** How the transaction of a {@link WriteOutcome.Unknown} ended. */
  TransactionStatus statusOf(String transactionId);
}
