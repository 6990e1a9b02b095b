package dev.ingest.app.bench.queue;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * A queue as it is written by hand: lock the first jobs, work for two milliseconds, delete them,
 * commit. The same table and index as the product's.
 */
final class HandWrittenClaimer implements Claimer {
  private static final String LOCK =
      """
      SELECT id FROM ingest.job
      WHERE queue = 'bench' AND priority = 1 AND status = 'waiting'
      ORDER BY run_at, id LIMIT %d FOR UPDATE %s
      """;
  private static final String WORK = "SELECT pg_sleep(0.002)";
  private static final String DELETE = "DELETE FROM ingest.job WHERE id = ANY (?)";

  private final String lock;

  HandWrittenClaimer(int batch, boolean skipLocked) {
    this.lock = lock(batch, skipLocked);
  }

  static String lock(int batch, boolean skipLocked) {
    return LOCK.formatted(batch, skipLocked ? "SKIP LOCKED" : "");
  }

  @Override
  public int step(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    List<Long> ids = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(lock)) {
      while (rows.next()) {
        ids.add(rows.getLong(1));
      }
    }
    if (!ids.isEmpty()) {
      finish(connection, ids);
    }
    connection.commit();
    return ids.size();
  }

  private static void finish(Connection connection, List<Long> ids) throws SQLException {
    try (Statement work = connection.createStatement();
        PreparedStatement delete = connection.prepareStatement(DELETE)) {
      work.execute(WORK);
      Array array = connection.createArrayOf("int8", ids.toArray());
      delete.setArray(1, array);
      delete.executeUpdate();
    }
  }
}
