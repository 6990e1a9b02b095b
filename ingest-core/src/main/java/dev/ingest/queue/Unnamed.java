package dev.ingest.queue;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.postgresql.PGStatement;

/**
 * Statements that the driver never prepares on the server under a name, however often they run: a
 * pooler in transaction mode would lose the name, and a plan that is kept grows old (ADR 0010).
 */
final class Unnamed {
  private Unnamed() {}

  static PreparedStatement prepare(Connection connection, String sql) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    try {
      statement.unwrap(PGStatement.class).setPrepareThreshold(0);
      return statement;
    } catch (SQLException | RuntimeException broken) {
      statement.close();
      throw broken;
    }
  }
}
