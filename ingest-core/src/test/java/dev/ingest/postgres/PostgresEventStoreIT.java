package dev.ingest.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.ingest.event.Event;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.mapping.TombstoneRule;
import dev.ingest.mapping.WriteRules;
import dev.ingest.pipeline.EventStore;
import dev.ingest.pipeline.EventStore.TransactionStatus;
import dev.ingest.pipeline.TombstoneContract;
import dev.ingest.pipeline.WriteOutcome;
import dev.ingest.plan.Batch;
import dev.ingest.plan.KeyReader;
import dev.ingest.plan.LockScheme;
import dev.ingest.testkit.EventLine;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.OptionalInt;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract on a real server, through a pool of one connection. */
class PostgresEventStoreIT extends TombstoneContract {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private final TestDatabase database = POSTGRES.database();
  private final HikariDataSource pool = pool();
  private final EventStore store = new PostgresEventStore(pool, StoreSettings.defaults());
  private final EventStore deletingStore =
      new PostgresEventStore(
          pool,
          new StoreSettings(
              TargetMapping.event().with(WriteRules.DEFAULT.with(TombstoneRule.parse("delete"))),
              Timeouts.DEFAULT,
              OptionalInt.empty(),
              1,
              OptionalInt.empty()));
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
  protected EventStore deletingStore() {
    return deletingStore;
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

  /** The reply to COMMIT is here; that the connection breaks behind it must not undo the counts. */
  @Test
  void connectionThatBreaksWhenItIsGivenBackChangesNoOutcome() {
    DataSource breaking =
        (DataSource)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> breakingOnClose(database.connect()));
    EventStore fragile = new PostgresEventStore(breaking, StoreSettings.defaults());
    List<Event> events = EventLine.on("orders", 0).keys("a", "b");

    Batch batch = Batch.of(events, LockScheme.perKey(), KeyReader.recordKey(), fragile);
    WriteOutcome outcome = fragile.write(batch.head());

    assertThat(outcome)
        .isInstanceOfSatisfying(
            WriteOutcome.Applied.class, applied -> assertThat(applied.inserted()).isEqualTo(2));
  }

  private static Connection breakingOnClose(Connection real) {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(real, arguments);
                if (method.getName().equals("close")) {
                  throw new SQLException("broken pipe", "08006");
                }
                return result;
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
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
