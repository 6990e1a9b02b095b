package dev.ingest.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.postgresql.PGStatement;

/**
 * Asks the server whether a session of ours may write now. Takes a connection for one statement;
 * waits as long as the data source's connect and socket timeouts let it. Thread-safe.
 */
public final class WritableCheck implements Supplier<Optional<String>> {
  private static final int QUERY_SECONDS = 5;

  private final DataSource connections;

  public WritableCheck(DataSource connections) {
    this.connections = connections;
  }

  /** What is in the way, without row values or secrets; empty where nothing is. Never throws. */
  @Override
  public Optional<String> get() {
    try (Connection connection = connections.getConnection();
        Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(QUERY_SECONDS);
      // Never under a name, which a pooler in transaction mode would lose.
      statement.unwrap(PGStatement.class).setPrepareThreshold(0);
      try (ResultSet row = statement.executeQuery(Statements.IS_READ_ONLY)) {
        row.next();
        return row.getBoolean(1) ? Optional.of("the server is read-only") : Optional.empty();
      }
    } catch (SQLException away) {
      return Optional.of("sqlstate=" + away.getSQLState() + " " + SqlFaults.describe(away));
    }
  }
}
