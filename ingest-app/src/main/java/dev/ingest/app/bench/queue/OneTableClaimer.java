package dev.ingest.app.bench.queue;

import dev.ingest.app.bench.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A queue whose finished jobs stay among the waiting ones: claimed and marked in one statement, by
 * the primary key or by a partial index.
 */
final class OneTableClaimer implements Claimer {
  private static final String CLAIM =
      """
      UPDATE ingest.bench_job SET status = 'done' WHERE id IN (
        SELECT id FROM ingest.bench_job WHERE status = 'waiting'
        ORDER BY id LIMIT %d FOR UPDATE SKIP LOCKED)
      """;

  private final String claim;

  OneTableClaimer(int batch) {
    this.claim = CLAIM.formatted(batch);
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

  @Override
  public int step(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate(claim);
    }
  }
}
