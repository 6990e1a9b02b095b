package dev.ingest.app.bench.queue;

import dev.ingest.app.bench.BenchFailure;
import dev.ingest.app.bench.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** How long a worker waits for a job while another one holds the first job of the queue. */
final class LockWait {
  private LockWait() {}

  /**
   * @param heldSeconds how long the other holds its job
   * @return milliseconds until the second worker has a job, which is not that of the first
   */
  static double millis(Database database, boolean skipLocked, double heldSeconds) {
    String lock = HandWrittenClaimer.lock(1, skipLocked);
    ExecutorService other = Executors.newSingleThreadExecutor();
    try (Connection first = database.connect();
        Connection second = database.connect()) {
      first.setAutoCommit(false);
      second.setAutoCommit(false);
      ask(second, lock); // not the first statement of its session
      second.rollback();
      ask(first, lock);
      long begun = System.nanoTime();
      Future<?> held = other.submit(() -> hold(first, heldSeconds));
      ask(second, lock);
      double millis = (System.nanoTime() - begun) / 1e6;
      held.get();
      second.rollback();
      return millis;
    } catch (SQLException failed) {
      throw BenchFailure.of("waiting for a lock", failed);
    } catch (ExecutionException | InterruptedException failed) {
      throw BenchFailure.of("holding a lock", failed);
    } finally {
      other.shutdownNow();
    }
  }

  private static Void hold(Connection connection, double seconds) throws SQLException {
    ask(connection, String.format(Locale.ROOT, "SELECT pg_sleep(%f)", seconds));
    connection.commit();
    return null;
  }

  private static void ask(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      if (!rows.next()) {
        throw new SQLException("no job is left", "02000");
      }
    }
  }
}
