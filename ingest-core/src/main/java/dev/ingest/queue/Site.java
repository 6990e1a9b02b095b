package dev.ingest.queue;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/**
 * Where workers work. Immutable, thread-safe.
 *
 * @param worker the name under which jobs are claimed
 */
record Site(DataSource dataSource, JobQueue queue, JobEvents events, String worker) {

  /** What is done in a transaction; commits it. */
  @FunctionalInterface
  interface Work<T> {
    T in(Connection connection) throws SQLException;
  }

  /**
   * Works in a transaction that does not sit idle for longer: its locks are freed where this
   * process is stopped in between. Where the work throws, it is rolled back.
   */
  <T> T transact(Duration longestIdle, Work<T> work) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      PGConnection driver = connection.unwrap(PGConnection.class);
      int threshold = driver.getPrepareThreshold();
      // Without it the driver prepares even COMMIT under a name, which a pooler would lose.
      driver.setPrepareThreshold(0);
      try {
        begin(connection, longestIdle);
        return work.in(connection);
      } catch (SQLException | RuntimeException | Error failed) {
        undo(connection);
        throw failed;
      } finally {
        driver.setPrepareThreshold(threshold); // a pool hands the connection to others
      }
    }
  }

  /**
   * As {@link #transact}, but waits for a row no longer than a second: our own session may hold it
   * that was lost and has not heard of that, or one that took it since.
   *
   * @return false where it was held: nothing is done then
   */
  boolean transactUnlessLocked(Duration longestIdle, Work<?> work) throws SQLException {
    try {
      transact(
          longestIdle,
          connection -> {
            try (PreparedStatement limit = Unnamed.prepare(connection, Statements.LIMIT_WAIT)) {
              limit.execute();
            }
            return work.in(connection);
          });
      return true;
    } catch (SQLException refused) {
      if (ServerFault.isLocked(refused)) {
        return false;
      }
      throw refused;
    }
  }

  private static void begin(Connection connection, Duration longestIdle) throws SQLException {
    connection.setAutoCommit(false);
    try (PreparedStatement statement = Unnamed.prepare(connection, Statements.LIMIT_IDLE)) {
      statement.setString(1, Long.toString(Math.min(longestIdle.toMillis(), Integer.MAX_VALUE)));
      statement.execute();
    }
  }

  /**
   * Whatever the state of the transaction; a pool gets the connection back clean, or closed.
   *
   * @return false where the connection was lost
   */
  static boolean undo(Connection connection) {
    try {
      connection.rollback();
      return true;
    } catch (SQLException lost) {
      abort(connection);
      return false;
    }
  }

  private static void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException alreadyGone) {
      // what was to be reached is reached
    }
  }
}
