package dev.ingest.plan;

/**
 * What a failed statement or connection leads to. In every case the transaction is rolled back, and
 * the offset stays until its events are stored, already there, parked or skipped. Which SQLSTATE is
 * of which kind: {@link SqlStatePolicy}.
 */
public enum FaultKind {
  /**
   * Another session was in the way: a deadlock, a lock wait or statement that took too long. The
   * whole transaction runs again after a random growing delay.
   */
  TRANSIENT,

  /**
   * The session is lost, or the server behind it cannot take writes now. The connection is dropped;
   * after a pause a new one is tried, for ever. The outcome of a COMMIT in flight is unknown.
   */
  CONNECTION,

  /**
   * What the session has prepared no longer fits the server: a table changed, or a pooler switched
   * the backend. Prepared again and retried, a few times in a row; after that it is {@link
   * #PROGRAM}, since the states of this kind also say that the server lacks a feature.
   */
  STALE_PLAN,

  /**
   * The server's shared lock table (or its memory) is exhausted. The transaction runs again with
   * half the locks; the budget grows back slowly.
   */
  LOCK_TABLE_FULL,

  /**
   * Nothing is wrong with the events, but no event can be stored until somebody mends the server,
   * its schema or its privileges. Pause, alarm, readiness off, slow retry for ever. Never parks.
   */
  ENVIRONMENT,

  /**
   * At least one event of the statement cannot be stored as it is. A bounded search finds them;
   * they are parked, the rest is stored.
   */
  BAD_EVENT,

  /** A mistake of ours, or a state nobody thought of. That consumer stops loudly, nothing lost. */
  PROGRAM
}
