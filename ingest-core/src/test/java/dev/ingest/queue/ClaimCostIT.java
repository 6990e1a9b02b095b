package dev.ingest.queue;

import static dev.ingest.queue.QueueSession.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Counts what claims read. A busy machine changes only how often they look far back. */
class ClaimCostIT {
  @RegisterExtension static final QueueExtension QUEUE = new QueueExtension();

  private static final int LIMIT = 100;
  private static final String BY_ID =
      "(SELECT sum(idx_tup_read)::bigint FROM pg_stat_user_indexes"
          + " WHERE relname = 'job' AND indexrelname <> 'job_waiting')";

  @Test
  void claimsUnderAnOldSnapshotDoNotWalkOverAllDeadEntries(TestDatabase database)
      throws SQLException {
    try (Connection old = oldSnapshot(database);
        QueueSession session = QueueSession.transaction(database)) {
      long fresh = entriesReadByClaims(session, 20);
      work(session, 30_000);

      long worn = entriesReadByClaims(session, 20);

      assertThat(fresh).as("entries read by the first 20 claims").isLessThan(20 * 20 * LIMIT);
      // A few of the 20 look back to the beginning, by the time that they take; all would read
      // 600,000.
      assertThat(worn).as("entries read after 30,000 jobs").isLessThan(200_000);
      assertThat(old.isClosed()).isFalse();
    }
  }

  /**
   * Statistics that were taken under the snapshot tell of a table that is nearly empty, so that a
   * plan may go through all dead entries of a partial index.
   */
  @Test
  void statisticsTakenUnderAnOldSnapshotLeadNobodyOverAllDeadEntries(TestDatabase database)
      throws SQLException {
    try (Connection old = oldSnapshot(database);
        QueueSession session = QueueSession.transaction(database)) {
      work(session, 30_000);
      database.execute("ANALYZE ingest.job");
      session.queue().enqueue(session.connection(), numbered("q", 1, 1000));
      session.commit();

      long before = statistic(session, BY_ID);
      for (int i = 0; i < 5; i++) {
        List<Job> claimed = session.claim("q", LIMIT);
        session.commit();
        session.queue().extend(session.connection(), claimed, QueueSession.LEASE);
        session.commit();
        session.queue().complete(session.connection(), claimed.subList(0, 50));
        session.commit();
        session.queue().release(session.connection(), claimed.subList(50, 100));
        session.commit();
      }

      assertThat(statistic(session, BY_ID) - before)
          .as("entries read for 1,000 outcomes, beside those of claims")
          .isLessThan(10_000);
      assertThat(old.isClosed()).isFalse();
    }
  }

  @Test
  void finishedJobsCostAClaimNothing(TestDatabase database) throws SQLException {
    try (QueueSession session = QueueSession.transaction(database)) {
      long before = entriesReadByClaims(session, 10);
      database.execute(
          """
          INSERT INTO ingest.job_done (id, queue, outcome, attempts, enqueued_at)
          SELECT i, 'q', 'done', 1, now() FROM generate_series(1, 100000) AS i
          """);

      assertThat(entriesReadByClaims(session, 10)).isLessThan(before + 10 * LIMIT);
    }
  }

  @Test
  void claimsOfAPreparedStatementMadeOnAnEmptyTableStayOnTheIndex(TestDatabase database)
      throws SQLException {
    try (QueueSession session = QueueSession.transaction(database)) {
      for (int i = 0; i < 10; i++) {
        session.claim("q", LIMIT);
        session.commit();
      }
      session.queue().enqueue(session.connection(), numbered("q", 1, 20_000));
      session.commit();

      long scans = sequentialScans(session);
      assertThat(session.claim("q", LIMIT)).hasSize(LIMIT);
      session.commit();

      assertThat(sequentialScans(session)).isEqualTo(scans);
    }
  }

  /** Its snapshot keeps every row version from now on. */
  private static Connection oldSnapshot(TestDatabase database) throws SQLException {
    Connection connection = database.connect();
    connection.setAutoCommit(false);
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT count(*) FROM ingest.job");
    }
    return connection;
  }

  private static void work(QueueSession session, int jobs) throws SQLException {
    for (int done = 0; done < jobs; done += 1000) {
      session.queue().enqueue(session.connection(), numbered("q", 1, 1000));
      session.commit();
      List<Job> claimed = session.claim("q", 1000);
      session.commit();
      session.queue().complete(session.connection(), claimed);
      session.commit();
    }
  }

  private static long entriesReadByClaims(QueueSession session, int claims) throws SQLException {
    session.queue().enqueue(session.connection(), numbered("q", 1, claims * LIMIT));
    session.commit();
    long before = statistic(session, "pg_stat_get_tuples_returned('ingest.job_waiting'::regclass)");
    for (int i = 0; i < claims; i++) {
      List<Job> claimed = session.claim("q", LIMIT);
      assertThat(claimed).hasSize(LIMIT);
      session.commit();
      session.queue().complete(session.connection(), claimed);
      session.commit();
    }
    return statistic(session, "pg_stat_get_tuples_returned('ingest.job_waiting'::regclass)")
        - before;
  }

  private static long sequentialScans(QueueSession session) throws SQLException {
    return statistic(session, "pg_stat_get_numscans('ingest.job'::regclass)");
  }

  private static long statistic(QueueSession session, String expression) throws SQLException {
    try (Statement statement = session.connection().createStatement()) {
      statement.execute("SELECT pg_stat_force_next_flush()");
      session.commit();
      try (var row = statement.executeQuery("SELECT " + expression)) {
        row.next();
        long value = row.getLong(1);
        row.close();
        session.commit();
        return value;
      }
    }
  }
}
