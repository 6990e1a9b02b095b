package dev.ingest.app.bench.queue;

import dev.ingest.app.bench.BenchFailure;
import dev.ingest.app.bench.Database;
import dev.ingest.app.bench.Percentiles;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/** A queue whose finished jobs stay among the waiting ones. */
final class OneTable {
  /** Claims and marks in one statement, by whatever index there is. */
  private static final String CLAIM =
      """
      UPDATE ingest.bench_job SET status = 'done' WHERE id IN (
        SELECT id FROM ingest.bench_job WHERE status = 'waiting'
        ORDER BY id LIMIT %d FOR UPDATE SKIP LOCKED)
      """;

  private static final String INDEX_SIZE =
      """
      SELECT pg_relation_size(indexrelid) / 1024.0 FROM pg_index
      WHERE indrelid = 'ingest.bench_job'::regclass ORDER BY indisprimary LIMIT 1
      """;

  private static final int WARM_UP = 10;
  private static final int CLAIMS = 40;

  private OneTable() {}

  static String claim(int batch) {
    return CLAIM.formatted(batch);
  }

  /** Makes the table anew: the waiting jobs behind the finished ones, as they come in time. */
  static void create(Database database, int done, int waiting, boolean partialIndex) {
    database.execute(
        "DROP TABLE IF EXISTS ingest.bench_job",
        "CREATE TABLE ingest.bench_job (id bigint PRIMARY KEY, status text NOT NULL, payload text)"
            + " WITH (autovacuum_enabled = false)",
        "INSERT INTO ingest.bench_job SELECT i, CASE WHEN i <= %1$d THEN 'done' ELSE 'waiting' END,"
                .formatted(done)
            + " repeat('x', 200) FROM generate_series(1, %d) AS i".formatted(done + waiting),
        partialIndex ? "CREATE INDEX ON ingest.bench_job (id) WHERE status = 'waiting'" : "SELECT",
        "VACUUM ANALYZE ingest.bench_job",
        "CHECKPOINT");
  }

  /** Median milliseconds of the statement that claims one job, without a commit; undone. */
  static double claimMillis(Database database) {
    Percentiles millis = new Percentiles();
    try (Connection connection = database.connect()) {
      connection.unwrap(PGConnection.class).setPrepareThreshold(1);
      connection.setAutoCommit(false);
      try (PreparedStatement claim = connection.prepareStatement(claim(1))) {
        for (int i = -WARM_UP; i < CLAIMS; i++) {
          long begun = System.nanoTime();
          claim.executeUpdate();
          if (i >= 0) {
            millis.add((System.nanoTime() - begun) / 1e6, 1);
          }
        }
      }
      connection.rollback();
    } catch (SQLException failed) {
      throw BenchFailure.of("claiming from one table", failed);
    }
    return millis.at(0.5);
  }

  /** Kilobytes of the partial index, or of the primary key where there is no other. */
  static double indexKilobytes(Database database) {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(INDEX_SIZE)) {
      row.next();
      return row.getDouble(1);
    } catch (SQLException failed) {
      throw BenchFailure.of("the size of an index", failed);
    }
  }
}
