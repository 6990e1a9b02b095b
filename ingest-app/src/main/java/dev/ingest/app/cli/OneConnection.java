package dev.ingest.app.cli;

import dev.ingest.app.config.PostgresSettings;
import dev.ingest.app.run.Pools;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.sql.Connection;
import java.sql.SQLException;

/** Work of a command that needs one connection, in auto-commit. */
final class OneConnection {
  private OneConnection() {}

  /** What is done with the connection. */
  interface Work<R> {
    R on(Connection connection) throws SQLException;
  }

  /**
   * @param what completes the sentence "… failed"
   * @throws IngestException where the database says no; the message holds no row value
   */
  static <R> R with(PostgresSettings settings, String what, Work<R> work) {
    try (Connection connection = Pools.single(settings).getConnection()) {
      return work.on(connection);
    } catch (SQLException failed) {
      throw failure(what, failed);
    }
  }

  /** The one line for what the database said; it holds no row value. */
  static IngestException failure(String what, SQLException failed) {
    String state = String.valueOf(failed.getSQLState());
    boolean unreachable = state.startsWith("08") || state.startsWith("28") || state.equals("3D000");
    return new IngestException(
        unreachable ? Code.POSTGRES_UNAVAILABLE : Code.STORE_FAILED,
        what + " failed, sqlstate=" + state + advice(state, unreachable),
        failed);
  }

  private static String advice(String state, boolean unreachable) {
    if (unreachable) {
      return "; check ingest.postgres.url, user and password, and that the server is up.";
    }
    return switch (state) {
      case "42P01", "3F000" -> "; a table is missing: run ingest migrate.";
      case "42501" -> "; the role lacks a privilege for it.";
      default -> "; try again, or with --verbose for the reason.";
    };
  }
}
