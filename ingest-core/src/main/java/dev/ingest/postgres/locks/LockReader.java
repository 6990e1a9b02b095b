package dev.ingest.postgres.locks;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Asks the server who waits for whom. Takes no lock that could be in the way. The three questions
 * of a report are asked one after the other, so they may differ by a moment. Immutable,
 * thread-safe; each call uses its connection alone.
 */
public final class LockReader {
  private final LockName names;

  /**
   * @param namespace the setting {@code ingest.lock.namespace}, to tell our advisory locks
   */
  public LockReader(OptionalInt namespace) {
    this.names = new LockName(namespace);
  }

  /** A session as it was when it was looked at. */
  public record SessionId(int pid, String backendStart) {}

  public LockReport report(Connection connection) throws SQLException {
    execute(connection, Statements.BOUND_OURSELVES);
    Contested contested = contested(connection);
    LockTree tree = LockTree.of(sessions(connection, contested));
    try (PreparedStatement statement = connection.prepareStatement(Statements.TOTALS);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return new LockReport(row.getString(1), tree, row.getLong(2), row.getLong(3), row.getLong(4));
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.execute();
    }
  }

  /** Locks that somebody waits for, in words, by process id. */
  private record Contested(Map<Integer, String> wanted, Map<Integer, List<String>> held) {}

  private Contested contested(Connection connection) throws SQLException {
    Contested contested = new Contested(new HashMap<>(), new HashMap<>());
    try (PreparedStatement statement = connection.prepareStatement(Statements.CONTESTED);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        int pid = row.getInt(1);
        String name =
            names.of(
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getLong(6),
                row.getLong(7),
                row.getInt(8));
        if (row.getBoolean(2)) {
          contested.held().computeIfAbsent(pid, none -> new ArrayList<>()).add(name);
        } else {
          contested.wanted().putIfAbsent(pid, name);
        }
      }
    }
    return contested;
  }

  private static List<LockSession> sessions(Connection connection, Contested contested)
      throws SQLException {
    List<LockSession> sessions = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(Statements.SESSIONS);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        sessions.add(session(row, contested));
      }
    }
    return sessions;
  }

  private static LockSession session(ResultSet row, Contested contested) throws SQLException {
    int pid = row.getInt(1);
    String query = row.getString(9);
    return new LockSession(
        pid,
        row.getString(2),
        row.getString(3),
        row.getString(4),
        pid == 0 ? "prepared transaction" : row.getString(5),
        row.getString(6),
        seconds(row, 7),
        seconds(row, 8),
        query == null ? null : QueryText.withoutLiterals(query),
        contested.wanted().get(pid),
        contested.held().getOrDefault(pid, List.of()),
        integers(row.getArray(10)));
  }

  private static @Nullable Double seconds(ResultSet row, int column) throws SQLException {
    double seconds = row.getDouble(column);
    return row.wasNull() ? null : seconds;
  }

  private static List<Integer> integers(Array array) throws SQLException {
    return List.of((Integer[]) array.getArray());
  }

  /** The client session with this process id, if there is one. */
  public Optional<SessionId> find(Connection connection, int pid) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(Statements.BACKEND_START)) {
      statement.setInt(1, pid);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(new SessionId(pid, row.getString(1))) : Optional.empty();
      }
    }
  }

  /**
   * Ends a session; its transaction is rolled back.
   *
   * @return false where it is gone already
   */
  public boolean terminate(Connection connection, SessionId session) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(Statements.TERMINATE)) {
      statement.setInt(1, session.pid());
      statement.setString(2, session.backendStart());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }
}
