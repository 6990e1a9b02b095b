package dev.ingest.postgres.locks;

/**
 * What the server says of its locks at one moment. Immutable.
 *
 * @param database whose deadlocks are counted
 * @param deadlocks in this database since its statistics were reset
 * @param lockTableUsed entries of the shared lock table in use, over all databases
 * @param lockTableSize entries it is sure to hold: {@code max_locks_per_transaction} for each
 *     connection and prepared transaction
 */
public record LockReport(
    String database, LockTree tree, long deadlocks, long lockTableUsed, long lockTableSize) {

  /** The share of the shared lock table that is in use, 1 for all of it. */
  public double fill() {
    return lockTableSize == 0 ? 0 : (double) lockTableUsed / lockTableSize;
  }
}
