package dev.ingest.app.bench.writers;

import dev.ingest.event.Event;
import dev.ingest.plan.HashText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** An advisory lock and an insert for each event, keys sorted so that it does not deadlock. */
public final class RowByRow implements Writer {
  private final PreparedStatement lock;
  private final PreparedStatement insert;

  public RowByRow(Connection connection) throws SQLException {
    lock = connection.prepareStatement("SELECT pg_advisory_xact_lock(hashtext(?))");
    insert =
        connection.prepareStatement(
            """
            INSERT INTO ingest.event (business_key, topic, partition, record_offset, payload)
            VALUES (?, ?, ?, ?, ?::jsonb) ON CONFLICT (business_key) DO NOTHING
            """);
  }

  @Override
  public void write(List<Event> events) throws SQLException {
    List<Event> sorted =
        events.stream()
            .sorted(
                Comparator.comparingInt(each -> HashText.hash(Objects.requireNonNull(each.key()))))
            .toList();
    for (Event each : sorted) {
      String key = Text.key(each);
      lock.setString(1, key);
      lock.execute();
      insert.setString(1, key);
      insert.setString(2, each.partition().topic());
      insert.setInt(3, each.partition().partition());
      insert.setLong(4, each.offset());
      insert.setString(5, Text.value(each));
      insert.executeUpdate();
    }
  }
}
