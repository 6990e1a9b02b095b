package dev.ingest.app.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.plan.HashText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** An advisory lock and an insert for each event, keys sorted so that it does not deadlock. */
final class RowByRow implements HandWritten.Writer {
  private final PreparedStatement lock;
  private final PreparedStatement insert;

  RowByRow(Connection connection) throws SQLException {
    lock = connection.prepareStatement("SELECT pg_advisory_xact_lock(hashtext(?))");
    insert =
        connection.prepareStatement(
            """
            INSERT INTO ingest.event (business_key, topic, partition, record_offset, payload)
            VALUES (?, ?, ?, ?, ?::jsonb) ON CONFLICT (business_key) DO NOTHING
            """);
  }

  @Override
  public void write(List<ConsumerRecord<byte[], byte[]>> records) throws SQLException {
    List<ConsumerRecord<byte[], byte[]>> sorted =
        records.stream()
            .sorted(Comparator.comparingInt(each -> HashText.hash(each.key())))
            .toList();
    for (ConsumerRecord<byte[], byte[]> each : sorted) {
      String key = new String(each.key(), UTF_8);
      lock.setString(1, key);
      lock.execute();
      insert.setString(1, key);
      insert.setString(2, each.topic());
      insert.setInt(3, each.partition());
      insert.setLong(4, each.offset());
      insert.setString(5, new String(each.value(), UTF_8));
      insert.executeUpdate();
    }
  }
}
