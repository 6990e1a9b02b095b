package dev.ingest.testkit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * One database on a test server. Every call opens a connection of its own, so nothing here disturbs
 * the sessions under test. Immutable, thread-safe. A {@link SQLException} ends the test as an
 * {@link IllegalStateException}.
 */
public record TestDatabase(PostgresServer server, String name) {
  /** JDBC URL without user and password, for the settings of the program. */
  public String url() {
    return url(server.port());
  }

  /** The same, through a proxy in front of the server. */
  public String url(TcpProxy proxy) {
    return url(proxy.port());
  }

  private String url(int port) {
    return "jdbc:postgresql://" + server.host() + ":" + port + "/" + name;
  }

  public String user() {
    return server.user();
  }

  public String password() {
    return server.password();
  }

  /** A data source without a pool: each connection is a new session. */
  public PGSimpleDataSource dataSource() {
    return server.dataSource(name);
  }

  /** The same, through a proxy in front of the server. */
  public PGSimpleDataSource dataSource(TcpProxy proxy) {
    PGSimpleDataSource dataSource = dataSource();
    dataSource.setPortNumbers(new int[] {proxy.port()});
    return dataSource;
  }

  public Connection connect() {
    try {
      return dataSource().getConnection();
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot connect to " + url(), e);
    }
  }

  /** Runs one statement (or several without parameters) and returns the rows it changed. */
  public int execute(String sql, Object... parameters) {
    return run(
        sql,
        parameters,
        statement -> {
          statement.execute();
          return statement.getUpdateCount();
        });
  }

  /** All rows, each with its columns in order. */
  public List<Map<String, @Nullable Object>> query(String sql, Object... parameters) {
    return run(sql, parameters, statement -> rows(statement.executeQuery()));
  }

  /** The first column of all rows. */
  public List<@Nullable Object> column(String sql, Object... parameters) {
    List<@Nullable Object> values = new ArrayList<>();
    query(sql, parameters).forEach(row -> values.add(row.values().iterator().next()));
    return values;
  }

  /** The one number that the query returns, for instance {@code SELECT count(*) …}. */
  public long count(String sql, Object... parameters) {
    return ((Number) Objects.requireNonNull(column(sql, parameters).get(0))).longValue();
  }

  /**
   * Deadlocks in this database since it was made. Sessions report theirs when they end or after ten
   * idle seconds, so this waits until all others did: close them first to be quick.
   */
  public long deadlocks() {
    Awaitility.await("other sessions of " + name + " to end or to be idle")
        .atMost(Duration.ofSeconds(30))
        .until(() -> unreportedSessions() == 0);
    return count("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
  }

  /** Advisory locks of one session, held or awaited, ascending by key. */
  public List<AdvisoryLock> advisoryLocks(int pid) {
    return advisoryLocks().stream().filter(lock -> lock.pid() == pid).toList();
  }

  /** Advisory locks of all sessions in this database, held or awaited, ascending by key. */
  public List<AdvisoryLock> advisoryLocks() {
    return run(
        AdvisoryLock.QUERY, new Object[0], statement -> AdvisoryLock.all(statement.executeQuery()));
  }

  /** Locks of every kind that a session holds, also those of the fast path. */
  public long lockCount(int pid) {
    return count("SELECT count(*) FROM pg_locks WHERE granted AND pid = ?", pid);
  }

  /** Process ids of the other client sessions in this database. */
  public List<Integer> sessions() {
    return column(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type ="
                + " 'client backend' AND pid <> pg_backend_pid() ORDER BY pid")
        .stream()
        .map(pid -> (Integer) pid)
        .toList();
  }

  /** Waits until every other client session has ended, a cut one too. */
  public void awaitNoSessions() {
    Awaitility.await("sessions of " + name + " to end")
        .atMost(Duration.ofSeconds(30))
        .until(() -> sessions().isEmpty());
  }

  /** Process ids of the sessions that this one waits for; empty when it does not wait. */
  public List<Integer> blockers(int pid) {
    return column("SELECT unnest(pg_blocking_pids(?))", pid).stream()
        .map(blocker -> (Integer) blocker)
        .toList();
  }

  private long unreportedSessions() {
    return count(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
          AND (state <> 'idle' OR state_change > clock_timestamp() - interval '11 s')\
        """);
  }

  private <T> T run(String sql, Object[] parameters, Work<T> work) {
    try (Connection connection = connect();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      return work.apply(statement);
    } catch (SQLException e) {
      throw new IllegalStateException(
          "sqlstate=" + e.getSQLState() + " " + e.getMessage() + " in: " + sql, e);
    }
  }

  private static List<Map<String, @Nullable Object>> rows(ResultSet result) throws SQLException {
    ResultSetMetaData columns = result.getMetaData();
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    while (result.next()) {
      Map<String, @Nullable Object> row = new LinkedHashMap<>();
      for (int i = 1; i <= columns.getColumnCount(); i++) {
        row.put(columns.getColumnLabel(i), result.getObject(i));
      }
      rows.add(row);
    }
    return rows;
  }

  private interface Work<T> {
    T apply(PreparedStatement statement) throws SQLException;
  }
}
