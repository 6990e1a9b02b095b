package dev.ingest.app.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.postgresql.PGConnection;

/** COPY into the keyed table: as fast as PostgreSQL takes rows, and no word about duplicates. */
final class CopyIn implements HandWritten.Writer {
  private static final String COPY =
      "COPY ingest.event (business_key, topic, partition, record_offset, payload) FROM STDIN";

  private final PGConnection connection;

  CopyIn(Connection connection) throws SQLException {
    this.connection = connection.unwrap(PGConnection.class);
  }

  @Override
  public void write(List<ConsumerRecord<byte[], byte[]>> records) throws SQLException {
    StringBuilder rows = new StringBuilder();
    for (ConsumerRecord<byte[], byte[]> each : records) {
      append(rows, new String(each.key(), UTF_8)).append('\t');
      append(rows, each.topic()).append('\t');
      rows.append(each.partition()).append('\t').append(each.offset()).append('\t');
      append(rows, new String(each.value(), UTF_8)).append('\n');
    }
    try {
      connection.getCopyAPI().copyIn(COPY, new StringReader(rows.toString()), 1 << 18);
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
