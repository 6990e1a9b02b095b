package dev.ingest.app.verify;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.BitSet;
import java.util.List;
import javax.sql.DataSource;

/** Asks the target which keys and positions it holds. Single-threaded; holds one connection. */
final class Target implements AutoCloseable {
  /** A character of the question has no equivalent on the server. */
  private static final String NOT_IN_ENCODING = "22P05";

  private final Connection connection;
  private final String table;
  private final String keyColumn;

  /**
   * @param table as SQL wants it
   * @param keyColumn as SQL wants it
   */
  Target(DataSource source, String table, String keyColumn) throws SQLException {
    this.connection = source.getConnection();
    this.connection.setReadOnly(true);
    this.table = table;
    this.keyColumn = keyColumn;
  }

  /**
   * Indices, from 0, of the keys that are not in the table. A key that the database's encoding
   * can't hold is not in it.
   */
  BitSet missingKeys(List<String> keys) throws SQLException {
    try {
      return missing(keys);
    } catch (SQLException refused) {
      if (!NOT_IN_ENCODING.equals(refused.getSQLState())) {
        throw refused;
      }
    }
    BitSet missing = new BitSet();
    if (keys.size() == 1) {
      missing.set(0);
      return missing;
    }
    int half = keys.size() / 2;
    missing.or(missingKeys(keys.subList(0, half)));
    missingKeys(keys.subList(half, keys.size())).stream().forEach(i -> missing.set(half + i));
    return missing;
  }

  private BitSet missing(List<String> keys) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(Statements.MISSING_KEYS.formatted(table, keyColumn))) {
      statement.setArray(1, connection.createArrayOf("text", keys.toArray()));
      return positions(statement);
    }
  }

  /** Indices, from 0, of the offsets that are parked. */
  BitSet parked(String topic, int partition, List<Long> offsets) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(Statements.PARKED_OFFSETS)) {
      statement.setArray(1, connection.createArrayOf("int8", offsets.toArray()));
      statement.setString(2, topic);
      statement.setInt(3, partition);
      return positions(statement);
    }
  }

  long keysTwice() throws SQLException {
    try (PreparedStatement statement =
            connection.prepareStatement(Statements.KEYS_TWICE.formatted(table, keyColumn));
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  private static BitSet positions(PreparedStatement statement) throws SQLException {
    BitSet positions = new BitSet();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        positions.set(rows.getInt(1) - 1);
      }
    }
    return positions;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
