package dev.ingest.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.ingest.event.Event;
import dev.ingest.pipeline.EventStore;
import dev.ingest.pipeline.EventStore.TransactionStatus;
import dev.ingest.pipeline.EventStoreContract;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract on a real server, through a pool of one connection. */
class PostgresEventStoreIT extends EventStoreContract {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private final TestDatabase database = POSTGRES.database();
  private final HikariDataSource pool = pool();
  private final EventStore store = new PostgresEventStore(pool, StoreSettings.defaults());
  private final Connection other = database.connect();

  @BeforeAll
  static void createSchema() {
    Schema.create(POSTGRES.database());
  }

  @BeforeEach
  void emptyTables() {
    database.execute("TRUNCATE ingest.event, ingest.parked");
  }

  @AfterEach
  void close() throws SQLException {
    other.close();
    pool.close();
  }

  @Override
  protected EventStore store() {
    return store;
  }

  @Override
  protected long rows() {
    return database.count("SELECT count(*) FROM ingest.event");
  }

  @Override
  protected long storedOffset(String key) {
    return database.count("SELECT record_offset FROM ingest.event WHERE business_key = ?", key);
  }

  @Override
  protected int attempts(Event event) {
    List<?> attempts =
        database.column(
            "SELECT attempts FROM ingest.parked WHERE topic = ? AND partition = ? AND record_offset = ?",
            event.partition().topic(),
            event.partition().partition(),
            event.offset());
    return attempts.isEmpty() ? 0 : (Integer) attempts.get(0);
  }

  @Override
  protected String transaction(TransactionStatus status) {
    try {
      other.setAutoCommit(false);
      String id = currentTransaction();
      switch (status) {
        case COMMITTED -> other.commit();
        case ABORTED -> other.rollback();
        case IN_PROGRESS, UNKNOWN -> {}
      }
      return id;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private String currentTransaction() throws SQLException {
    try (Statement statement = other.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_current_xact_id()::text")) {
      row.next();
      return row.getString(1);
    }
  }

  @Override
  protected String futureTransaction() {
    return "1000000000";
  }

  private HikariDataSource pool() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.url());
    config.setUsername(database.user());
    config.setPassword(database.password());
    config.setMaximumPoolSize(1);
    return new HikariDataSource(config);
  }
}
