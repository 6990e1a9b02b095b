package dev.ingest.app.bench.writers;

import dev.ingest.event.Event;
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
    CopyText rows = new CopyText();
    for (Event each : events) {
      rows.value(Text.key(each));
      if (places) {
        rows.value(each.partition().topic())
            .value(Integer.toString(each.partition().partition()))
            .value(Long.toString(each.offset()));
      }
      rows.value(Text.value(each)).endRow();
    }
    rows.copyIn(connection.getCopyAPI(), copy);
  }
}
