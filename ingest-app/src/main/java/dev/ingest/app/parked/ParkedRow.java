package dev.ingest.app.parked;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.event.Event;
import dev.ingest.event.Header;
import dev.ingest.event.TopicPartition;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reads rows of {@code ingest.parked}. */
final class ParkedRow {
  private ParkedRow() {}

  static List<ParkedEvent> all(PreparedStatement statement) throws SQLException {
    List<ParkedEvent> events = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        events.add(event(row));
      }
    }
    return events;
  }

  static ParkedPosition position(ResultSet row) throws SQLException {
    return new ParkedPosition(
        row.getString(1), row.getInt(2), row.getLong(3), row.getLong(4), row.getString(5));
  }

  private static ParkedEvent event(ResultSet row) throws SQLException {
    ParkedPosition position = position(row);
    Event event =
        new Event(
            new TopicPartition(position.topic(), position.partition()),
            position.offset(),
            position.timestamp(),
            row.getBytes(6),
            row.getBytes(7),
            headers(row));
    long size = row.getLong(10);
    // A tombstone is as small as it looks.
    boolean inKafka = event.value() == null && event.sizeBytes() < size;
    return new ParkedEvent(
        position,
        event,
        size,
        inKafka,
        row.getString(11),
        row.getInt(12),
        row.getString(13),
        row.getString(14),
        row.getString(15),
        row.getString(16),
        row.getString(17),
        row.getString(18),
        ParkedTable.instant(row, 19),
        ParkedTable.instant(row, 20));
  }

  private static List<Header> headers(ResultSet row) throws SQLException {
    byte[][] names = (byte[][]) row.getArray(8).getArray();
    byte[][] values = (byte[][]) row.getArray(9).getArray();
    List<Header> headers = new ArrayList<>();
    for (int i = 0; i < names.length; i++) {
      headers.add(new Header(new String(names[i], UTF_8), values[i]));
    }
    return headers;
  }
}
