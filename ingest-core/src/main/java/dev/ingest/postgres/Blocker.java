package dev.ingest.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The session at the root of a wait for a lock, as another session sees it. Immutable.
 *
 * @param pid process id; 0 for a prepared transaction
 * @param application its {@code application_name}; null where our role may not see it
 * @param transactionAge null where our role may not see it
 */
record Blocker(int pid, @Nullable String application, @Nullable Duration transactionAge) {
  private static final int QUERY_SECONDS = 2;

  /**
   * Asks for the session that the waiting one waits for in the end.
   *
   * @param pid process id of the session that waits
   * @return empty where it does not wait for a lock
   */
  static Optional<Blocker> of(DataSource pool, int pid) throws SQLException {
    try (Connection connection = pool.getConnection();
        PreparedStatement statement = connection.prepareStatement(Statements.ROOT_BLOCKER)) {
      connection.setAutoCommit(true);
      statement.setQueryTimeout(QUERY_SECONDS);
      statement.setInt(1, pid);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(read(row)) : Optional.empty();
      }
    }
  }

  private static Blocker read(ResultSet row) throws SQLException {
    double seconds = row.getDouble(3);
    Duration age = row.wasNull() ? null : Duration.ofMillis((long) (seconds * 1000));
    return new Blocker(row.getInt(1), row.getString(2), age);
  }

  /** For a log line; holds no query. */
  @Override
  public String toString() {
    return "pid=%d application=%s transactionAge=%s"
        .formatted(
            pid,
            application == null ? "unknown" : application.replace('"', '?'),
            transactionAge == null
                ? "unknown"
                : String.format(Locale.ROOT, "%.1fs", transactionAge.toMillis() / 1000.0));
  }
}
