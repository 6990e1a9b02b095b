package dev.ingest.app.bench.writers;

import dev.ingest.event.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** One insert for the batch in the order in which events came, and the unique index alone. */
public final class ArrivalOrder implements Writer {
  /** Binds: keys, topics, partitions, offsets, payloads. */
  static final String INSERT =
      """
      INSERT INTO ingest.event (business_key, topic, partition, record_offset, payload)
      SELECT key, topic, partition, record_offset, payload::jsonb
      FROM unnest(?::text[], ?::text[], ?::integer[], ?::bigint[], ?::text[])
        AS r (key, topic, partition, record_offset, payload)
      """;

  private final Connection connection;
  private final PreparedStatement insert;

  public ArrivalOrder(Connection connection) throws SQLException {
    this.connection = connection;
    this.insert = connection.prepareStatement(INSERT + "ON CONFLICT (business_key) DO NOTHING");
  }

  @Override
  public void write(List<Event> events) throws SQLException {
    bind(connection, insert, events);
    insert.executeUpdate();
  }

  static void bind(Connection connection, PreparedStatement statement, List<Event> events)
      throws SQLException {
    int rows = events.size();
    String[] keys = new String[rows];
    String[] topics = new String[rows];
    Integer[] partitions = new Integer[rows];
    Long[] offsets = new Long[rows];
    String[] payloads = new String[rows];
    for (int i = 0; i < rows; i++) {
      Event event = events.get(i);
      keys[i] = Text.key(event);
      topics[i] = event.partition().topic();
      partitions[i] = event.partition().partition();
      offsets[i] = event.offset();
      payloads[i] = Text.value(event);
    }
    statement.setArray(1, connection.createArrayOf("text", keys));
    statement.setArray(2, connection.createArrayOf("text", topics));
    statement.setArray(3, connection.createArrayOf("integer", partitions));
    statement.setArray(4, connection.createArrayOf("bigint", offsets));
    statement.setArray(5, connection.createArrayOf("text", payloads));
  }
}
