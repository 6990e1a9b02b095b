package dev.ingest.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is reserved beside the locks of keys covers what a transaction really holds (I4). */
class ReservedLocksIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private static final String HELD =
      "SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid()"
          + " AND (locktype = 'transactionid' OR relation >= 16384)";

  private final TestDatabase database = POSTGRES.database();

  @Test
  void deletionsLockTheTablesThatReferToTheRows() throws SQLException {
    database.execute("DROP SCHEMA IF EXISTS app CASCADE; CREATE SCHEMA app");
    database.execute(
        """
        CREATE TABLE app.t (id text PRIMARY KEY, n integer);
        CREATE TABLE app.line (
          id text PRIMARY KEY, of text REFERENCES app.t ON DELETE CASCADE, n integer);
        CREATE INDEX ON app.line (of);
        CREATE INDEX ON app.line (n);
        CREATE TABLE app.note (line text REFERENCES app.line, text text);
        CREATE INDEX ON app.note (line);
        CREATE TABLE app.log (id text REFERENCES app.t, day date) PARTITION BY RANGE (day);
        CREATE TABLE app.log0 PARTITION OF app.log FOR VALUES FROM (MINVALUE) TO ('2018-01-01');
        CREATE TABLE app.log1 PARTITION OF app.log FOR VALUES FROM ('2018-01-01') TO (MAXVALUE);
        CREATE INDEX ON app.log (id);
        INSERT INTO app.t VALUES ('a', 1);
        INSERT INTO app.line VALUES ('l', 'a', 1);
        """);

    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      int inserting = reserved(connection, false);
      int deleting = reserved(connection, true);
      connection.setAutoCommit(false);
      statement.execute("DELETE FROM app.t WHERE id = 'a'");
      try (ResultSet row = statement.executeQuery(HELD)) {
        row.next();
        assertThat(row.getInt(1)).isGreaterThan(inserting).isLessThanOrEqualTo(deleting);
      }
      connection.rollback();
    }
  }

  private static int reserved(Connection connection, boolean deletes) throws SQLException {
    ReservedLocks locks = new ReservedLocks(connection);
    locks.add("app.t", deletes, List.of());
    return locks.atMost(1000);
  }
}
