package dev.ingest.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;

/**
 * Locks that one writing transaction may hold beside those of keys: of the route that needs most.
 * Single-threaded.
 */
final class ReservedLocks {
  private final Connection connection;
  private int most;

  ReservedLocks(Connection connection) {
    this.connection = connection;
  }

  /**
   * Counts a route.
   *
   * @param target its table, as SQL wants it
   * @param deletes whether rows of it go
   * @param others tables that are written in the same transactions
   */
  void add(String target, boolean deletes, Collection<String> others) throws SQLException {
    int relations = relations(target, deletes);
    for (String other : others) {
      relations += relations(other, false);
    }
    most = Math.max(most, relations);
  }

  /**
   * Locks on the partitions of a large table are the same entries for all writers, and a part of
   * the budget belongs to the keys in any case.
   */
  int atMost(int locks) {
    return Math.min(most, locks);
  }

  private int relations(String table, boolean deletes) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(CatalogStatements.RELATIONS)) {
      statement.setString(1, table);
      statement.setString(2, table);
      statement.setBoolean(3, deletes);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }
}
