package dev.ingest.postgres;

import java.time.Duration;

/**
 * Bounds that we set on our own transactions, so that nothing waits without end. Immutable; each at
 * least 1 ms.
 *
 * @param lock how long a statement waits for a lock ({@code lock_timeout})
 * @param statement how long a statement runs ({@code statement_timeout})
 * @param idleInTransaction how long a transaction may sit idle ({@code
 *     idle_in_transaction_session_timeout}); frees its locks where the program is stopped in
 *     between
 * @param socket how long sending a step and waiting for its reply may take before the connection is
 *     given up; above statement
 */
public record Timeouts(
    Duration lock, Duration statement, Duration idleInTransaction, Duration socket) {
  public static final Timeouts DEFAULT =
      new Timeouts(
          Duration.ofSeconds(5),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          Duration.ofSeconds(40));

  public Timeouts {
    check("lock", lock);
    check("statement", statement);
    check("idleInTransaction", idleInTransaction);
    check("socket", socket);
    if (socket.compareTo(statement) <= 0) {
      throw new IllegalArgumentException(
          "socket=" + socket + " must be above statement=" + statement);
    }
  }

  /**
   * How long a transaction lasts at most: we give up on one whose statements are not answered
   * within {@code socket}, and no COMMIT waits longer than a statement.
   */
  Duration transaction() {
    return socket.plus(statement);
  }

  private static void check(String name, Duration timeout) {
    if (timeout.toMillis() < 1) {
      throw new IllegalArgumentException(name + "=" + timeout + " is below 1 ms");
    }
  }
}
