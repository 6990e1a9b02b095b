package dev.ingest.app.faults;

import dev.ingest.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Every connection that the server has, taken from whoever had it. One thread. */
final class AllConnections implements AutoCloseable {
  private static final String TERMINATE_OTHERS =
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND application_name = 'ingest'\
      """;

  private final TestDatabase database;
  private final List<Connection> taken = new ArrayList<>();

  private AllConnections(TestDatabase database) {
    this.database = database;
  }

  static AllConnections of(TestDatabase database) {
    AllConnections all = new AllConnections(database);
    all.taken.add(database.connect());
    return all;
  }

  /** Takes what is free, then throws the process out, which frees some more. */
  void takeWhatIsFree() throws SQLException {
    boolean free = true;
    while (free) {
      free = takeOne();
    }
    try (PreparedStatement statement = taken.get(0).prepareStatement(TERMINATE_OTHERS)) {
      statement.execute();
    }
  }

  private boolean takeOne() throws SQLException {
    try {
      taken.add(database.dataSource().getConnection());
      return true;
    } catch (SQLException refused) {
      if (!"53300".equals(refused.getSQLState())) {
        throw refused;
      }
      return false;
    }
  }

  @Override
  public void close() throws SQLException {
    for (Connection each : taken) {
      each.close();
    }
  }
}
