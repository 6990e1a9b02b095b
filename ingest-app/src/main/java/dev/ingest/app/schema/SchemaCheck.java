package dev.ingest.app.schema;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * Says whether the database has the schema that this program needs. Reads only; needs no CREATE.
 */
public final class SchemaCheck {
  /** The newest migration in this program. */
  public static final int VERSION = 3;

  /** No migration was applied yet. */
  static final int ABSENT = 0;

  private SchemaCheck() {}

  /**
   * Passes when the schema is as new as this program or newer (migrations keep older programs
   * running).
   *
   * @throws IngestException {@code SCHEMA_MISSING} where it is absent, older or may not be read;
   *     {@code POSTGRES_UNAVAILABLE} where the database can't be asked: a later try may pass
   */
  public static void require(DataSource dataSource) {
    try (Connection connection = dataSource.getConnection()) {
      int version = version(connection);
      if (version < VERSION) {
        String found = version == ABSENT ? "is absent" : "is at version " + version;
        throw new IngestException(
            Code.SCHEMA_MISSING,
            "schema ingest of database "
                + connection.getCatalog()
                + " "
                + found
                + ", version "
                + VERSION
                + " is needed; run ingest migrate with a role that may CREATE.");
      }
    } catch (SQLException e) {
      throw DatabaseFailure.of("checking the schema failed", e);
    }
  }

  /** The newest migration applied, {@link #ABSENT} where there is none. */
  static int version(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (!historyIsThere(statement, connection)) {
        return ABSENT;
      }
      try (ResultSet result = statement.executeQuery(Statements.VERSION)) {
        result.next();
        return result.getInt(1);
      }
    }
  }

  private static boolean historyIsThere(Statement statement, Connection connection)
      throws SQLException {
    try (ResultSet result = statement.executeQuery(Statements.HISTORY_ACCESS)) {
      result.next();
      if (result.getBoolean("present") && !result.getBoolean("readable")) {
        String role = connection.getMetaData().getUserName();
        throw new IngestException(
            Code.SCHEMA_MISSING,
            "role "
                + role
                + " may not read ingest.schema_history; as its owner, GRANT USAGE ON SCHEMA ingest and"
                + " GRANT SELECT ON ingest.schema_history to it.");
      }
      return result.getBoolean("present");
    }
  }
}
