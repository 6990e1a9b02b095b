package dev.ingest.queue;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Work on jobs that nobody has claimed. Never waits for a worker: locked rows are passed over. */
final class Housekeeping {
  private static final int STEP = 1000;

  private Housekeeping() {}

  static List<JobQueue.Reaped> reap(Connection connection, int limit) throws SQLException {
    List<JobQueue.Reaped> reaped = new ArrayList<>();
    try (IndexedStatement statement = new IndexedStatement(connection, Statements.REAP)) {
      statement.bind(limit).run();
      try (ResultSet rows = statement.rows()) {
        while (rows.next()) {
          reaped.add(new JobQueue.Reaped(rows.getString(1), rows.getString(2).equals("failed")));
        }
      }
    }
    return reaped;
  }

  static Set<Long> cancel(Connection connection, List<Long> ids) throws SQLException {
    try (IndexedStatement statement = new IndexedStatement(connection, Statements.CANCEL)) {
      statement.bind("int8", ids.stream().mapToLong(Long::longValue).toArray()).run();
      return new HashSet<>(statement.ids());
    }
  }

  static int hasten(Connection connection, String queue, List<String> keys) throws SQLException {
    try (IndexedStatement statement = new IndexedStatement(connection, Statements.HASTEN)) {
      statement.bind(queue).bind("text", keys.toArray(String[]::new)).run();
      return statement.changed();
    }
  }

  static int retry(Connection connection, String queue, int limit, int attempts)
      throws SQLException {
    try (IndexedStatement statement = new IndexedStatement(connection, Statements.RETRY)) {
      statement.bind(queue).bind(limit).bind(attempts).run();
      return statement.changed();
    }
  }

  static long purge(Connection connection, Duration age) throws SQLException {
    long micros = TimeUnit.MICROSECONDS.convert(age); // the longest there is where it is longer
    return purge(connection, Math.max(0, serverMicros(connection) - micros));
  }

  private static long serverMicros(Connection connection) throws SQLException {
    try (PreparedStatement statement = Unnamed.prepare(connection, Statements.CLOCK);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  static long purge(Connection connection, Instant before) throws SQLException {
    return purge(connection, micros(before));
  }

  private static long purge(Connection connection, long before) throws SQLException {
    long purged = 0;
    long from = 0;
    try (IndexedStatement statement = new IndexedStatement(connection, Statements.PURGE_DONE)) {
      while (true) {
        statement.bind(from).bind(before).bind(STEP).run();
        try (ResultSet row = statement.rows()) {
          row.next();
          int step = row.getInt(1);
          from = row.getLong(2); // the next step does not walk over the dead entries of this one
          purged += step;
          if (step < STEP) {
            return purged;
          }
        }
      }
    }
  }

  static long purgeFailed(Connection connection, String queue, Instant before) throws SQLException {
    long purged = 0;
    int step = STEP;
    try (IndexedStatement statement = new IndexedStatement(connection, Statements.PURGE_FAILED)) {
      while (step == STEP) {
        statement.bind(queue).bind(micros(before)).bind(STEP).run();
        step = statement.changed();
        purged += step;
      }
    }
    return purged;
  }

  static List<JobQueue.Depth> depth(ResultSet rows) throws SQLException {
    List<JobQueue.Depth> depths = new ArrayList<>();
    while (rows.next()) {
      depths.add(
          new JobQueue.Depth(
              rows.getString(1), rows.getString(2), rows.getLong(3), rows.getDouble(4)));
    }
    return depths;
  }

  private static long micros(Instant moment) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, moment);
  }
}
