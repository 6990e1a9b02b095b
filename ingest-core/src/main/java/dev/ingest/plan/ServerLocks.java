package dev.ingest.plan;

/**
 * The settings that size a server's shared lock table. Immutable.
 *
 * <p>Source: PostgreSQL manual, sections 13.3.5 and 19.12. The table is one pool for all sessions;
 * a transaction may take more than its share as long as the others leave room. The true size is
 * slightly larger, since background processes count too.
 *
 * @param maxLocksPerTransaction {@code max_locks_per_transaction}, from 1
 * @param maxConnections {@code max_connections}, from 1
 * @param maxPreparedTransactions {@code max_prepared_transactions}, from 0
 */
public record ServerLocks(
    int maxLocksPerTransaction, int maxConnections, int maxPreparedTransactions) {
  public ServerLocks {
    if (maxLocksPerTransaction < 1 || maxConnections < 1 || maxPreparedTransactions < 0) {
      throw new IllegalArgumentException(
          "No server has max_locks_per_transaction=%d max_connections=%d max_prepared_transactions=%d."
              .formatted(maxLocksPerTransaction, maxConnections, maxPreparedTransactions));
    }
  }

  /** How many locks all sessions together can surely hold. */
  public long poolEntries() {
    return maxLocksPerTransaction * slots();
  }

  /** How many transactions the table is sized for. */
  long slots() {
    return (long) maxConnections + maxPreparedTransactions;
  }
}
