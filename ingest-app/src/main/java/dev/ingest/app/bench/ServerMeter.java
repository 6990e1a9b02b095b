package dev.ingest.app.bench;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * What the server does for a run: write-ahead log, deadlocks, dead rows, sizes and processor time.
 * Single-threaded.
 */
public final class ServerMeter implements AutoCloseable {
  private static final String COUNTERS =
      """
      SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0'),
             (SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()),
             (SELECT coalesce(sum(n_dead_tup), 0) FROM pg_stat_user_tables
              WHERE schemaname = 'ingest'),
             (SELECT sum(pg_table_size(oid)) FROM pg_class
              WHERE relkind = 'r' AND relnamespace = 'ingest'::regnamespace),
             (SELECT sum(pg_indexes_size(oid)) FROM pg_class
              WHERE relkind = 'r' AND relnamespace = 'ingest'::regnamespace)
      """;

  /** A session tells the statistics what it did when it ends, at the latest. */
  private static final String OTHERS =
      """
      SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
        AND backend_type = 'client backend'
      """;

  private record Counters(double wal, double deadlocks, double dead, double table, double index) {}

  private final Connection connection;
  private final OptionalLong postmaster;
  private final Counters before;
  private final double cpuBefore;

  /** Begins to measure. */
  public ServerMeter(Database database) {
    try {
      this.connection = database.connect();
      this.postmaster = ProcessCpu.postmaster(number("SELECT pg_backend_pid()"));
      this.before = counters();
      this.cpuBefore = cpu();
    } catch (SQLException failed) {
      throw BenchFailure.of("measuring the server", failed);
    }
  }

  /**
   * What changed since the beginning; processor time is not there where the server runs elsewhere.
   * Call it when the run's sessions are closed.
   *
   * @param events that the run wrote, for what is told by event
   * @param otherCpuSeconds of another server that belongs to the run
   */
  public Map<String, Double> stop(long events, double otherCpuSeconds) {
    try {
      for (int i = 0; i < 100 && number(OTHERS) > 0; i++) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
      Counters after = counters();
      Map<String, Double> values = new LinkedHashMap<>();
      values.put("deadlocks", after.deadlocks - before.deadlocks);
      values.put("wal_bytes_per_event", (after.wal - before.wal) / events);
      values.put("dead_rows", after.dead);
      values.put("table_mib", after.table / (1 << 20));
      values.put("index_mib", after.index / (1 << 20));
      values.put("server_cpu_us_per_event", (cpu() - cpuBefore + otherCpuSeconds) * 1e6 / events);
      return values;
    } catch (SQLException failed) {
      throw BenchFailure.of("measuring the server", failed);
    } catch (InterruptedException stopped) {
      throw BenchFailure.of("measuring the server", stopped);
    }
  }

  private double cpu() {
    return postmaster.isPresent() ? ProcessCpu.ofFamily(postmaster.getAsLong()) : Double.NaN;
  }

  private Counters counters() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(COUNTERS)) {
      row.next();
      return new Counters(
          row.getDouble(1), row.getDouble(2), row.getDouble(3), row.getDouble(4), row.getDouble(5));
    }
  }

  private long number(String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException gone) {
      // nothing is lost with it
    }
  }
}
