package dev.ingest.postgres.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.plan.HashText;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LockReaderIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private final LockReader reader = new LockReader(OptionalInt.empty());
  private Connection first;
  private Connection second;
  private Connection third;

  @BeforeEach
  void open(TestDatabase database) throws SQLException {
    database.execute("DROP TABLE IF EXISTS account");
    database.execute("CREATE TABLE account (id int PRIMARY KEY, owner text)");
    database.execute("INSERT INTO account VALUES (1, 'secret')");
    first = named(database, "report");
    second = named(database, "migration");
    third = named(database, "web");
  }

  private static Connection named(TestDatabase database, String application) throws SQLException {
    Connection connection = database.connect();
    connection.setClientInfo("ApplicationName", application);
    connection.setAutoCommit(false);
    return connection;
  }

  @AfterEach
  void close() throws SQLException {
    for (Connection each : List.of(first, second, third)) {
      each.abort(Runnable::run);
    }
  }

  private LockReport report(TestDatabase database) throws SQLException {
    try (Connection connection = database.connect()) {
      return reader.report(connection);
    }
  }

  private static int pid(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        var row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      return row.getInt(1);
    }
  }

  private static void execute(Connection connection, String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException ended) {
      throw new IllegalStateException(ended);
    }
  }

  /** Runs a statement that will wait, and returns once it does. */
  private static void waiting(TestDatabase database, Connection connection, String sql)
      throws SQLException {
    int pid = pid(connection);
    CompletableFuture<Void> running = CompletableFuture.runAsync(() -> execute(connection, sql));
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> running.isDone() || !database.blockers(pid).isEmpty());
    assertThat(running).isNotDone();
  }

  @Test
  void anIdleReaderIsTheRootOfThePileUpBehindAnAlterTable(TestDatabase database)
      throws SQLException {
    execute(first, "SELECT owner FROM account WHERE owner = 'secret'");
    waiting(database, second, "ALTER TABLE account ADD COLUMN note text DEFAULT 'secret'");
    waiting(database, third, "SELECT owner FROM account WHERE id = 1");

    LockReport report = report(database);

    LockTree.Node root = report.tree().roots().get(0);
    assertThat(report.tree().roots()).hasSize(1);
    assertThat(root.session().pid()).isEqualTo(pid(first));
    assertThat(root.session().application()).isEqualTo("report");
    assertThat(root.session().state()).isEqualTo("idle in transaction");
    assertThat(root.session().holds()).containsExactly("AccessShareLock on relation account");
    assertThat(root.session().query()).doesNotContain("secret");
    LockTree.Node alter = root.waiters().get(0);
    assertThat(alter.session().application()).isEqualTo("migration");
    assertThat(alter.session().waitsFor()).isEqualTo("AccessExclusiveLock on relation account");
    assertThat(alter.session().waitEvent()).isEqualTo("Lock: relation");
    assertThat(alter.session().query()).startsWith("ALTER TABLE account").doesNotContain("secret");
    assertThat(alter.waiters())
        .singleElement()
        .matches(node -> "web".equals(node.session().application()));
    assertThat(root.waiting()).isEqualTo(2);
  }

  @Test
  void theLockOfABusinessKeyIsNamed(TestDatabase database) throws SQLException {
    int hash = HashText.hash("k1");
    execute(first, "SELECT pg_advisory_xact_lock(hashtext('k1'))");
    waiting(database, second, "SELECT pg_advisory_xact_lock(hashtext('k1'))");

    LockSession root = report(database).tree().roots().get(0).session();

    assertThat(root.holds()).containsExactly("the lock of business keys with hashtext " + hash);
  }

  @Test
  void aRowLockIsAWaitForATransaction(TestDatabase database) throws SQLException {
    execute(first, "UPDATE account SET owner = 'x' WHERE id = 1");
    waiting(database, second, "UPDATE account SET owner = 'y' WHERE id = 1");

    LockTree.Node root = report(database).tree().roots().get(0);

    assertThat(root.waiters().get(0).session().waitsFor()).startsWith("a row changed by");
    assertThat(root.session().transactionSeconds()).isNotNegative();
  }

  @Test
  void deadlocksAndTheFillOfTheLockTableAreCounted(TestDatabase database) throws SQLException {
    long before = report(database).lockTableUsed();
    execute(first, "SELECT pg_advisory_xact_lock(i) FROM generate_series(1, 500) AS i");

    LockReport report = report(database);

    assertThat(report.lockTableUsed()).isGreaterThanOrEqualTo(before + 500);
    assertThat(report.lockTableSize()).isEqualTo(256 * 100);
    assertThat(report.fill()).isBetween(0.0, 1.0);
    assertThat(report.deadlocks()).isZero();
    assertThat(report.database()).isEqualTo(database.name());
  }

  @Test
  void aSessionIsEndedOnlyWhileItIsTheSame(TestDatabase database) throws SQLException {
    try (Connection connection = database.connect()) {
      int pid = pid(first);
      LockReader.SessionId session = reader.find(connection, pid).orElseThrow();

      assertThat(reader.terminate(connection, new LockReader.SessionId(pid, "2001-01-01")))
          .isFalse();
      assertThat(database.sessions()).contains(pid);
      assertThat(reader.terminate(connection, session)).isTrue();

      await().atMost(Duration.ofSeconds(20)).until(() -> !database.sessions().contains(pid));
      assertThat(reader.terminate(connection, session)).isFalse();
      assertThat(reader.find(connection, 0)).isEmpty();
    }
  }
}
