package dev.ingest.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class PostgresServerIT {
  @Test
  void writesAreDurableAndTheLockTableIsKnown(TestDatabase database) {
    assertThat(
            database.column(
                "SELECT setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit',"
                    + " 'full_page_writes')"))
        .containsOnly("on");
    assertThat(database.column("SELECT current_setting('max_locks_per_transaction')"))
        .containsExactly("256");
  }

  @Test
  void databasesAreApart(TestDatabase database) {
    database.execute("CREATE TABLE mine (id int)");

    TestDatabase other = database.server().createDatabase();

    assertThat(other.column("SELECT to_regclass('mine')::text")).containsOnlyNulls();
    database.server().dropDatabase(other);
    assertThatThrownBy(other::connect).hasMessageContaining(other.name());
  }

  @Test
  void latin1DatabaseHasThatEncoding(TestDatabase database) {
    TestDatabase latin1 = database.server().createDatabase("LATIN1");

    assertThat(latin1.column("SELECT current_setting('server_encoding')"))
        .containsExactly("LATIN1");
    database.server().dropDatabase(latin1);
  }

  @Test
  void usersWithAPasswordMustGiveIt(TestDatabase database) throws SQLException {
    String user = database.server().createUser("right");

    database.dataSource().getConnection(user, "right").close();

    assertThatThrownBy(() -> database.dataSource().getConnection(user, "wrong"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
  }

  @Test
  void deadlocksAreCountedOnceTheirSessionsEnded(TestDatabase database) throws Exception {
    assertThat(database.deadlocks()).isZero();
    try (Connection first = database.connect();
        Connection second = database.connect()) {
      lock(first, 1);
      lock(second, 2);
      CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> lock(first, 2));

      assertThatThrownBy(
              () -> {
                lock(second, 1);
                waiting.join();
              })
          .hasStackTraceContaining("deadlock detected");
    }

    assertThat(database.deadlocks()).isOne();
  }

  @Test
  void advisoryLocksOfASessionAreListedWithTheirSignedKeys(TestDatabase database)
      throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute(
          "SELECT pg_advisory_xact_lock(-7), pg_advisory_xact_lock(3), pg_advisory_xact_lock(1,"
              + " 2)");
      int pid = database.sessions().get(0);

      assertThat(database.advisoryLocks(pid))
          .extracting(AdvisoryLock::key)
          .containsExactly(-7L, 3L, (1L << 32) + 2);
      assertThat(database.advisoryLocks(pid))
          .extracting(AdvisoryLock::twoIntegers)
          .containsExactly(false, false, true);
      assertThat(database.advisoryLocks(pid)).allMatch(AdvisoryLock::granted);
      connection.rollback();
      assertThat(database.advisoryLocks(pid)).isEmpty();
    }
  }

  @Test
  void committedRowsSurviveSigkillAndOpenTransactionsDoNot() throws SQLException {
    try (PostgresServer server =
        PostgresServer.dedicated(Map.of("max_locks_per_transaction", "10"))) {
      TestDatabase database = server.createDatabase();
      database.execute("CREATE TABLE t (id int)");
      database.execute("INSERT INTO t VALUES (1)");
      long firstPid = server.pid();
      try (Connection connection = database.connect();
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        statement.execute("INSERT INTO t VALUES (2)");

        server.kill9();

        assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
      }
      assertThatThrownBy(database::connect).isInstanceOf(IllegalStateException.class);
      server.start();
      assertThat(database.column("SELECT id FROM t")).containsExactly(1);
      assertThat(database.column("SELECT current_setting('max_locks_per_transaction')"))
          .containsExactly("10");
      assertThat(server.pid()).isNotEqualTo(firstPid);
      assertThat(server.log()).contains("database system was not properly shut down");
    }
  }

  private static void lock(Connection connection, int key) {
    try (Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("SELECT pg_advisory_xact_lock(" + key + ")");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
