package dev.ingest.postgres;

import dev.ingest.event.Event;
import dev.ingest.event.Header;
import dev.ingest.plan.RejectedEvent;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * Writes events that can't be stored to {@code ingest.parked}: byte for byte, or by reference where
 * the record is too large to be held.
 */
final class ParkedEvents {
  private ParkedEvents() {}

  static void write(Connection connection, String route, List<RejectedEvent> rejected)
      throws SQLException {
    if (rejected.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(Statements.PARK)) {
      for (RejectedEvent each : rejected) {
        bind(connection, statement, each);
        statement.setString(16, route);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private static void bind(
      Connection connection, PreparedStatement statement, RejectedEvent rejected)
      throws SQLException {
    Event event = rejected.event();
    statement.setString(1, event.partition().topic());
    statement.setInt(2, event.partition().partition());
    statement.setLong(3, event.offset());
    statement.setLong(4, event.timestampMillis());
    statement.setBytes(5, event.key());
    statement.setBytes(6, event.value());
    statement.setArray(7, connection.createArrayOf("bytea", names(event.headers())));
    statement.setArray(8, connection.createArrayOf("bytea", values(event.headers())));
    statement.setLong(9, event.recordBytes());
    statement.setString(10, rejected.sqlState());
    statement.setString(11, rejected.reason());
    statement.setString(12, rejected.sqlState());
    statement.setString(13, rejected.reason());
    statement.setString(14, rejected.constraint());
    statement.setString(15, rejected.column());
  }

  private static Object[] names(List<Header> headers) {
    return headers.stream()
        .map(header -> header.name().getBytes(StandardCharsets.UTF_8))
        .toArray(byte[][]::new);
  }

  private static Object[] values(List<Header> headers) {
    return headers.stream().map(Header::value).toArray(byte[][]::new);
  }
}
