package dev.ingest.app.verify;

import dev.ingest.event.TopicPartition;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.plan.Reading;
import dev.ingest.postgres.TargetLookup;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Asks the database which events its tables hold and which are parked. Single-threaded; holds one
 * connection, and no transaction between calls.
 */
final class Target implements AutoCloseable {
  private final Connection connection;
  private final Map<String, TargetLookup> lookups = new HashMap<>();

  /**
   * @param mappings by name of the route
   */
  Target(DataSource source, Map<String, TargetMapping> mappings) throws SQLException {
    this.connection = source.getConnection();
    try {
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      for (Map.Entry<String, TargetMapping> each : mappings.entrySet()) {
        lookups.put(each.getKey(), TargetLookup.of(connection, each.getValue()));
      }
    } catch (SQLException | RuntimeException failed) {
      connection.close();
      throw failed;
    }
  }

  /** Indices, from 0, of the events whose row is not in the route's table. */
  BitSet missing(String route, List<Reading.Keyed> events) throws SQLException {
    return Objects.requireNonNull(lookups.get(route), route).missing(events);
  }

  /**
   * Indices, from 0, of the offsets that are parked.
   *
   * @param route on which; null for any
   */
  BitSet parked(@Nullable String route, TopicPartition partition, List<Long> offsets)
      throws SQLException {
    BitSet parked = new BitSet();
    try (PreparedStatement question = connection.prepareStatement(Statements.PARKED_OFFSETS)) {
      question.setArray(1, connection.createArrayOf("int8", offsets.toArray()));
      question.setString(2, partition.topic());
      question.setInt(3, partition.partition());
      question.setString(4, route);
      try (ResultSet positions = question.executeQuery()) {
        while (positions.next()) {
          parked.set(positions.getInt(1) - 1);
        }
      }
    }
    connection.rollback();
    return parked;
  }

  /**
   * Keys that a table holds more than once, over all tables. The last question: it takes as long as
   * a large table needs, and a server that is gone meanwhile is found by TCP's keepalive alone.
   */
  long keysTwice() throws SQLException {
    connection.setNetworkTimeout(Runnable::run, 0);
    List<TargetLookup> asked = new ArrayList<>();
    long keys = 0;
    for (TargetLookup each : lookups.values()) {
      if (asked.stream().noneMatch(each::looksAtSameRows)) {
        asked.add(each);
        keys += each.keysTwice();
      }
    }
    return keys;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
