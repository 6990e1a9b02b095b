package dev.ingest.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the queue takes for granted of row locks under READ COMMITTED, asked of the real server. */
class RowLockSemanticsIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private static final String TWO_QUEUED =
      "SELECT id FROM task WHERE state = 'queued' ORDER BY id LIMIT 2 ";

  private Connection first;
  private Connection second;

  @BeforeAll
  static void createTables(TestDatabase database) {
    database.execute("CREATE TABLE owner (id int PRIMARY KEY)");
    database.execute(
        "CREATE TABLE task (id int PRIMARY KEY, state text, rank int, owner int REFERENCES owner)");
  }

  @BeforeEach
  void fourQueuedTasksOfOneOwner(TestDatabase database) throws SQLException {
    database.execute("TRUNCATE owner, task");
    database.execute("INSERT INTO owner VALUES (1)");
    database.execute("INSERT INTO task SELECT i, 'queued', i, 1 FROM generate_series(1, 4) AS i");
    first = transaction(database);
    second = transaction(database);
  }

  private static Connection transaction(TestDatabase database) throws SQLException {
    Connection connection = database.connect();
    connection.setAutoCommit(false);
    return connection;
  }

  @AfterEach
  void close() throws SQLException {
    first.close();
    second.close();
  }

  @Test
  void afterAWaitARowThatNoLongerMatchesIsDroppedAndLimitFillsUp(TestDatabase database)
      throws Exception {
    execute(first, "UPDATE task SET state = 'done' WHERE id = 1");
    CompletableFuture<List<Integer>> waiting = whenBlocked(database, TWO_QUEUED + "FOR UPDATE");
    first.commit();

    assertThat(waiting.get(10, TimeUnit.SECONDS)).containsExactly(2, 3);
  }

  @Test
  void afterAWaitThereIsNoSecondScanForRowsThatBeganToMatch(TestDatabase database)
      throws Exception {
    database.execute("UPDATE task SET state = 'done' WHERE id = 2");
    execute(first, "UPDATE task SET state = 'done' WHERE id = 1");
    execute(first, "UPDATE task SET state = 'queued' WHERE id = 2");
    CompletableFuture<List<Integer>> waiting =
        whenBlocked(database, "SELECT id FROM task WHERE state = 'queued' FOR UPDATE");
    first.commit();

    assertThat(waiting.get(10, TimeUnit.SECONDS)).containsExactly(3, 4);
    assertThat(query(second, "SELECT id FROM task WHERE state = 'queued' ORDER BY id"))
        .as("the next statement does see it")
        .containsExactly(2, 3, 4);
  }

  @Test
  void afterAWaitTheRowIsInItsOldPlaceOfTheOrder(TestDatabase database) throws Exception {
    execute(first, "UPDATE task SET rank = 99 WHERE id = 1");
    CompletableFuture<List<Integer>> waiting =
        whenBlocked(database, "SELECT rank FROM task ORDER BY rank LIMIT 2 FOR UPDATE");
    first.commit();

    assertThat(waiting.get(10, TimeUnit.SECONDS)).containsExactly(99, 2);
  }

  @Test
  void whoWaitsForARowWaitsForATransaction(TestDatabase database) throws Exception {
    execute(first, "UPDATE task SET state = 'done' WHERE id = 1");
    CompletableFuture<List<Integer>> waiting = whenBlocked(database, TWO_QUEUED + "FOR UPDATE");

    assertThat(database.column("SELECT locktype FROM pg_locks WHERE NOT granted"))
        .containsExactly("transactionid");
    first.commit();
    waiting.get(10, TimeUnit.SECONDS);
  }

  @Test
  void skipLockedPassesLockedRowsOverAndLimitFillsUp() throws SQLException {
    assertThat(query(first, TWO_QUEUED + "FOR UPDATE SKIP LOCKED")).containsExactly(1, 2);

    assertThat(query(second, TWO_QUEUED + "FOR UPDATE SKIP LOCKED")).containsExactly(3, 4);
  }

  @Test
  void skipLockedDoesNotCount() throws SQLException {
    query(first, TWO_QUEUED + "FOR UPDATE");

    String counted = "SELECT count(*) FROM (SELECT 1 FROM task FOR UPDATE SKIP LOCKED) AS t";
    assertThat(query(second, counted)).containsExactly(2);
  }

  @Test
  void moreRowsThanTheLimitAreNotLocked() throws SQLException {
    query(first, TWO_QUEUED + "FOR UPDATE SKIP LOCKED");

    assertThat(query(second, "SELECT id FROM task ORDER BY id FOR UPDATE SKIP LOCKED"))
        .containsExactly(3, 4);
  }

  @Test
  void nowaitFailsAtOnce() throws SQLException {
    query(first, TWO_QUEUED + "FOR UPDATE");

    assertThatThrownBy(() -> query(second, TWO_QUEUED + "FOR UPDATE NOWAIT"))
        .isInstanceOfSatisfying(
            SQLException.class, refused -> assertThat(refused.getSQLState()).isEqualTo("55P03"));
  }

  @Test
  void ofLocksOneTableOfAJoin() throws SQLException {
    query(first, "SELECT t.id FROM task t JOIN owner o ON o.id = t.owner FOR UPDATE OF t");

    assertThat(query(second, "SELECT id FROM owner FOR UPDATE NOWAIT")).containsExactly(1);
    assertThat(query(second, "SELECT id FROM task FOR UPDATE SKIP LOCKED")).isEmpty();
  }

  @Test
  void withoutOfAJoinLocksBothTables() throws SQLException {
    query(first, "SELECT t.id FROM task t JOIN owner o ON o.id = t.owner FOR UPDATE");

    assertThat(query(second, "SELECT id FROM owner FOR UPDATE SKIP LOCKED")).isEmpty();
  }

  @Test
  void noKeyUpdateLetsOthersReferToTheRow() throws SQLException {
    query(first, "SELECT id FROM owner FOR NO KEY UPDATE");
    execute(second, "INSERT INTO task VALUES (5, 'queued', 5, 1)");
    second.rollback();
    first.rollback();

    query(first, "SELECT id FROM owner FOR UPDATE");
    execute(second, "SET LOCAL lock_timeout = '50ms'");
    assertThatThrownBy(() -> execute(second, "INSERT INTO task VALUES (5, 'queued', 5, 1)"))
        .isInstanceOfSatisfying(
            SQLException.class, refused -> assertThat(refused.getSQLState()).isEqualTo("55P03"));
  }

  /** Runs the query in the second session and returns once it waits for the first. */
  private CompletableFuture<List<Integer>> whenBlocked(TestDatabase database, String sql)
      throws SQLException {
    int pid = query(second, "SELECT pg_backend_pid()").get(0);
    CompletableFuture<List<Integer>> waiting =
        CompletableFuture.supplyAsync(() -> queryUnchecked(second, sql));
    await().atMost(10, TimeUnit.SECONDS).until(() -> !database.blockers(pid).isEmpty());
    return waiting;
  }

  private static List<Integer> queryUnchecked(Connection connection, String sql) {
    try {
      return query(connection, sql);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static List<Integer> query(Connection connection, String sql) throws SQLException {
    List<Integer> values = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        values.add(rows.getInt(1));
      }
    }
    return values;
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
