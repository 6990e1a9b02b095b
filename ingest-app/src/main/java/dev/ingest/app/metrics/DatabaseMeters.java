package dev.ingest.app.metrics;

import dev.ingest.pipeline.IngestMeter;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicLong;

/** What the server says of locks in our database. One for each registry; one thread at a time. */
public final class DatabaseMeters {
  private static final String COUNTS =
      """
      SELECT d.deadlocks, (
        SELECT count(*) FROM pg_stat_activity AS a
        WHERE a.datname = d.datname AND a.wait_event_type = 'Lock')
      FROM pg_stat_database AS d WHERE d.datname = current_database()
      """;

  /** Reads the shared lock table, so it is asked only while somebody waits. */
  private static final String LONGEST =
      """
      SELECT coalesce(extract(epoch FROM clock_timestamp() - min(l.waitstart)), 0)
      FROM pg_locks AS l JOIN pg_stat_activity AS a USING (pid)
      WHERE NOT l.granted AND a.datname = current_database()
      """;

  private final AtomicLong deadlocks = new AtomicLong();
  private final AtomicLong waiters = new AtomicLong();
  private final AtomicLong longest = new AtomicLong();

  public DatabaseMeters(MeterRegistry registry) {
    IngestMeter.POSTGRES_DEADLOCKS.counterOf(registry, deadlocks);
    IngestMeter.POSTGRES_LOCK_WAITERS.gauge(registry, waiters);
    IngestMeter.POSTGRES_LOCK_LONGEST.gauge(registry, longest);
  }

  /** Asks the server. */
  public void sample(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      try (ResultSet row = statement.executeQuery(COUNTS)) {
        row.next();
        deadlocks.set(row.getLong(1));
        waiters.set(row.getLong(2));
      }
      longest.set(waiters.get() == 0 ? 0 : longest(statement));
    }
  }

  private static long longest(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery(LONGEST)) {
      row.next();
      return Math.max(0, Math.round(row.getDouble(1)));
    }
  }
}
