package dev.ingest.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresProxyIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private final TestDatabase database = POSTGRES.database();
  private final PostgresProxy proxy = PostgresProxy.to(database.server());

  @BeforeEach
  void emptyTable() {
    database.execute("CREATE TABLE t (id int)");
  }

  @AfterEach
  void close() {
    proxy.close();
    database.execute("DROP TABLE t");
  }

  @Test
  void requestLostBeforeTheServerLeavesNoRow() throws SQLException {
    proxy.beforeNextCommit(ProxyLink::cut);

    insertAndCommitInVain(0);

    database.awaitNoSessions();
    assertThat(database.count("SELECT count(*) FROM t")).isZero();
    assertThat(proxy.isArmed()).isFalse();
  }

  @Test
  void replyLostAfterTheServerLeavesTheRow() throws SQLException {
    proxy.afterNextCommit(ProxyLink::cut);

    insertAndCommitInVain(0);

    assertThat(database.count("SELECT count(*) FROM t")).isOne();
    assertThat(proxy.isArmed()).isFalse();
  }

  @Test
  void commitIsSeenWhenItIsPreparedByName() throws SQLException {
    proxy.beforeNextCommit(link -> proxy.beforeNextCommit(ProxyLink::cut));

    insertAndCommitInVain(1);

    database.awaitNoSessions();
    assertThat(database.count("SELECT count(*) FROM t")).isOne();
  }

  @Test
  void silentServerIsNoticedOnlyByTheSocketTimeout() throws SQLException {
    proxy.afterNextCommit(ProxyLink::freeze);
    PGSimpleDataSource impatient = database.dataSource(proxy);
    impatient.setSocketTimeout(1);
    try (Connection connection = impatient.getConnection()) {
      insert(connection);

      assertThatThrownBy(connection::commit).hasRootCauseInstanceOf(SocketTimeoutException.class);
      assertThat(database.count("SELECT count(*) FROM t")).isOne();
    }
  }

  private void insertAndCommitInVain(int commitsBefore) throws SQLException {
    try (Connection connection = database.dataSource(proxy).getConnection()) {
      for (int i = 0; i < commitsBefore; i++) {
        insert(connection);
        connection.commit();
      }
      insert(connection);
      assertThatThrownBy(connection::commit)
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).startsWith("08"));
    }
  }

  private static void insert(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO t VALUES (1)");
    }
  }
}
