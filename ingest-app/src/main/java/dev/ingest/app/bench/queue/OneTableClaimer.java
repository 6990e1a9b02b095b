package dev.ingest.app.bench.queue;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Claims from {@link OneTable}. */
final class OneTableClaimer implements Claimer {
  private final String claim;

  OneTableClaimer(int batch) {
    this.claim = OneTable.claim(batch);
  }

  @Override
  public int step(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate(claim);
    }
  }
}
