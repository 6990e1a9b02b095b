package dev.ingest.postgres;

import dev.ingest.plan.HashText;
import dev.ingest.plan.ServerLocks;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/**
 * What the connected server is. Immutable.
 *
 * @param version {@code server_version_num}
 * @param hashesLikeUs whether {@link HashText} gives the server's own hashes on the probe set
 */
record ServerFacts(int version, String encoding, ServerLocks locks, boolean hashesLikeUs) {

  static ServerFacts read(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(Statements.SERVER_FACTS);
        ResultSet row = statement.executeQuery()) {
      row.next();
      String encoding = row.getString(2);
      return new ServerFacts(
          row.getInt(1),
          encoding,
          new ServerLocks(row.getInt(3), row.getInt(4), row.getInt(5)),
          encoding.equals("UTF8") && hashesLikeUs(connection));
    }
  }

  private static boolean hashesLikeUs(Connection connection) throws SQLException {
    List<String> probes = HashText.PROBES;
    int[] ours = probes.stream().mapToInt(HashText::hash).toArray();
    return Arrays.equals(ours, hash(connection, probes));
  }

  /** The server's hashes of keys, in their order. */
  static int[] hash(Connection connection, List<String> keys) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(Statements.HASH_KEYS)) {
      statement.setArray(1, connection.createArrayOf("text", keys.toArray()));
      try (ResultSet rows = statement.executeQuery()) {
        int[] hashes = new int[keys.size()];
        for (int i = 0; rows.next(); i++) {
          hashes[i] = rows.getInt(1);
        }
        return hashes;
      }
    }
  }
}
