package dev.ingest.plan;

/**
 * How many locks one transaction takes at most, of all kinds. While every transaction on the server
 * stays below {@code max_locks_per_transaction}, the shared lock table cannot run out, whatever the
 * others do; above it, the sum over all writers has to fit. Immutable.
 *
 * @param locks locks of one transaction, from 1
 * @param reserved how many of them are not advisory: relations, indexes, partitions, the
 *     transaction's own id; from 0
 */
public record LockBudget(int locks, int reserved) {
  /** An explicit budget above the server's per-transaction value leaves one half to others. */
  private static final int SHARES = 2;

  public LockBudget {
    if (locks < 1 || reserved < 0) {
      throw new IllegalArgumentException(
          "Lock budget of %d locks with %d reserved is impossible; use 1.. and 0.."
              .formatted(locks, reserved));
    }
  }

  /**
   * The largest budget that is safe with any number of writers: one below the server's
   * per-transaction value.
   *
   * @param maxLocksPerTransaction the server's setting, at least 2
   */
  public static LockBudget auto(int maxLocksPerTransaction, int reservedByOneTransaction) {
    return new LockBudget(maxLocksPerTransaction - 1, reservedByOneTransaction);
  }

  /**
   * The budget that the user asked for.
   *
   * @param groupWriters writers of the whole group, in all processes, from 1
   * @throws IllegalArgumentException if no advisory lock would be left, or if the budget is not
   *     below the server's per-transaction value and all writers together would take more than half
   *     of the lock table; the message has the arithmetic and what would fit
   */
  public static LockBudget explicit(
      int budget, int reservedByOneTransaction, ServerLocks server, int groupWriters) {
    if (groupWriters < 1) {
      throw new IllegalArgumentException("writers=" + groupWriters + " is below 1.");
    }
    if (budget <= reservedByOneTransaction) {
      throw new IllegalArgumentException(
          ("ingest.lock.budget=%d leaves no lock for a key: one transaction needs %d for tables,"
                  + " indexes and its own id. Use at least %d, or auto.")
              .formatted(budget, reservedByOneTransaction, reservedByOneTransaction + 1));
    }
    if (budget > largest(server, groupWriters)) {
      throw new IllegalArgumentException(tooLarge(budget, server, groupWriters));
    }
    return new LockBudget(budget, reservedByOneTransaction);
  }

  /**
   * Advisory locks that one transaction may take. At least one even if the reserved locks already
   * use up the budget: without it nothing could be written at all.
   */
  public int advisoryLocks() {
    return Math.max(1, locks - reserved);
  }

  /** The largest explicit budget that the server has room for. */
  static long largest(ServerLocks server, int groupWriters) {
    long shareOfOneWriter = server.poolEntries() / SHARES / groupWriters;
    return Math.max(server.maxLocksPerTransaction() - 1, shareOfOneWriter);
  }

  /** The smallest {@code max_locks_per_transaction} that has room for this budget. */
  static long maxLocksPerTransactionFor(int budget, ServerLocks server, int groupWriters) {
    long entries = (long) budget * groupWriters * SHARES;
    return Math.min(budget + 1L, (entries + server.slots() - 1) / server.slots());
  }

  private static String tooLarge(int budget, ServerLocks server, int groupWriters) {
    return ("ingest.lock.budget=%d does not fit the server's lock table: writers=%d would take %d x"
            + " %d = %d locks, the table has max_locks_per_transaction x (max_connections +"
            + " max_prepared_transactions) = %d x (%d + %d) = %d, and half of it, %d, is left to"
            + " others. Use at most %d, or auto, or raise max_locks_per_transaction to %d (needs a"
            + " server restart).")
        .formatted(
            budget,
            groupWriters,
            groupWriters,
            budget,
            (long) groupWriters * budget,
            server.maxLocksPerTransaction(),
            server.maxConnections(),
            server.maxPreparedTransactions(),
            server.poolEntries(),
            server.poolEntries() / SHARES,
            largest(server, groupWriters),
            maxLocksPerTransactionFor(budget, server, groupWriters));
  }
}
