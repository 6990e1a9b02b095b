package dev.ingest.app.bench.writers;

import dev.ingest.event.Event;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.postgresql.PGConnection;

/** COPY: as fast as PostgreSQL takes rows; a duplicate fails, or comes in twice without a key. */
public final class CopyIn implements Writer {
  private final PGConnection connection;
  private final String copy;
  private final boolean places;

  /**
   * @param places whether the table has columns for topic, partition and offset
   */
  public CopyIn(Connection connection, String table, boolean places) throws SQLException {
    this.connection = connection.unwrap(PGConnection.class);
    this.places = places;
    this.copy =
        "COPY %s (business_key, %spayload) FROM STDIN"
            .formatted(table, places ? "topic, partition, record_offset, " : "");
  }

  @Override
  public void write(List<Event> events) throws SQLException {
    StringBuilder rows = new StringBuilder();
    for (Event each : events) {
      append(rows, Text.key(each)).append('\t');
      if (places) {
        append(rows, each.partition().topic()).append('\t');
        rows.append(each.partition().partition()).append('\t').append(each.offset()).append('\t');
      }
      append(rows, Text.value(each)).append('\n');
    }
    try {
      connection.getCopyAPI().copyIn(copy, new StringReader(rows.toString()), 1 << 18);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static StringBuilder append(StringBuilder rows, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\\' -> rows.append("\\\\");
        case '\t' -> rows.append("\\t");
        case '\n' -> rows.append("\\n");
        case '\r' -> rows.append("\\r");
        default -> rows.append(c);
      }
    }
    return rows;
  }
}
