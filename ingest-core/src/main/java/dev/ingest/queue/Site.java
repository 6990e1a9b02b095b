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

  /**
   * A connection in a transaction that does not sit idle for longer: its locks are freed where this
   * process is stopped in between.
   */
  Connection begin(Duration longestIdle) throws SQLException {
    Connection connection = dataSource.getConnection();
    try {
      // Without it the driver prepares even COMMIT under a name, which a pooler would lose.
      connection.unwrap(PGConnection.class).setPrepareThreshold(0);
      connection.setAutoCommit(false);
      try (PreparedStatement statement = Unnamed.prepare(connection, Statements.LIMIT_IDLE)) {
        statement.setString(1, Long.toString(longestIdle.toMillis()));
        statement.execute();
      }
      return connection;
    } catch (SQLException | RuntimeException broken) {
      giveUp(connection);
      throw broken;
    }
  }

  /** Ends the transaction whatever its state; a pool gets the connection back clean, or closed. */
  static void giveUp(Connection connection) {
    try (connection) {
      connection.rollback();
    } catch (SQLException lost) {
      abort(connection);
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
