package dev.ingest.app.bench.pipeline;

import dev.ingest.app.bench.BenchFailure;
import dev.ingest.app.bench.Database;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;

/** Waits until a table holds all rows, at little cost: it counts only when nothing grows. */
record Rows(Database database, String table) {
  private static final long LOOK_MILLIS = 500;
  private static final long PATIENCE_LOOKS = 600;

  void await(long expected, Running running) {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      long size = -1;
      long still = 0;
      while (still < PATIENCE_LOOKS) {
        long now = number(statement, "SELECT pg_relation_size('" + table + "')");
        if (now == size && number(statement, "SELECT count(*) FROM " + table) == expected) {
          return;
        }
        still = now == size ? still + 1 : 0;
        size = now;
        if (running.hasFailed()) {
          throw failure(
              "ended early", expected, number(statement, "SELECT count(*) FROM " + table), running);
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
      throw failure(
          "stands still", expected, number(statement, "SELECT count(*) FROM " + table), running);
    } catch (SQLException failed) {
      throw BenchFailure.of("counting rows", failed);
    } catch (InterruptedException stopped) {
      throw BenchFailure.of("counting rows", stopped);
    }
  }

  private static IngestException failure(String what, long expected, long rows, Running running) {
    return new IngestException(
        Code.STORE_FAILED,
        "a contestant %s, rows=%d of %d. %s".formatted(what, rows, expected, running.complaint()));
  }

  private static long number(Statement statement, String query) throws SQLException {
    try (ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }
}
