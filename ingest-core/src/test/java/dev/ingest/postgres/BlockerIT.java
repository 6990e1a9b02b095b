package dev.ingest.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.plan.Batch;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.KeyReader;
import dev.ingest.plan.LockScheme;
import dev.ingest.testkit.EventLine;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.PGConnection;

/** Somebody else's lock: the fault says whose. */
class BlockerIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private static final Timeouts TIMEOUTS =
      new Timeouts(
          Duration.ofSeconds(3),
          Duration.ofSeconds(20),
          Duration.ofSeconds(20),
          Duration.ofSeconds(30));

  private final TestDatabase database = POSTGRES.database();
  private final HikariDataSource pool = pool();
  private final PostgresEventStore store = store();
  private final EventLine line = EventLine.on("t", 0);

  @BeforeAll
  static void createSchema() {
    Schema.create(POSTGRES.database());
  }

  @AfterEach
  void close() {
    pool.close();
  }

  @Test
  void faultNamesTheSessionAtTheRootAndNoQuery() throws SQLException {
    Chunk chunk = chunk(store, "a");
    Chunk behind = chunk(store, "a");
    try (Connection root = holdTable("nightly \"report\"")) {
      int pid = root.unwrap(PGConnection.class).getBackendPID();
      CompletableFuture<StoreFault> first =
          CompletableFuture.supplyAsync(() -> fault(store, chunk));
      StoreFault second = fault(store(), behind);

      assertThat(first.join())
          .hasMessageContaining("blocked by pid=" + pid + " application=nightly ?report? ")
          .hasMessageMatching("(?s).* transactionAge=[0-9]+[.][0-9]s")
          .hasMessageNotContaining("LOCK TABLE");
      assertThat(first.join().sqlState()).isEqualTo("55P03");
      assertThat(second).hasMessageContaining("blocked by pid=" + pid + " ");
    }
  }

  @Test
  void sessionThatWaitsForNobodyHasNoBlocker() throws SQLException {
    try (Connection idle = database.connect()) {
      assertThat(Blocker.of(pool, idle.unwrap(PGConnection.class).getBackendPID())).isEmpty();
    }
  }

  private static StoreFault fault(PostgresEventStore store, Chunk chunk) {
    return catchThrowableOfType(StoreFault.class, () -> store.write(chunk));
  }

  private Connection holdTable(String application) throws SQLException {
    Connection holder = database.connect();
    holder.setClientInfo("ApplicationName", application);
    holder.setAutoCommit(false);
    try (Statement statement = holder.createStatement()) {
      statement.execute("LOCK TABLE ingest.event IN ACCESS EXCLUSIVE MODE");
    }
    return holder;
  }

  private Chunk chunk(PostgresEventStore hasher, String key) {
    return Batch.of(line.keys(key), LockScheme.perKey(), KeyReader.recordKey(), hasher).head();
  }

  private PostgresEventStore store() {
    return new PostgresEventStore(
        pool,
        new StoreSettings(
            TargetMapping.event(), TIMEOUTS, OptionalInt.empty(), 1, OptionalInt.empty()));
  }

  private HikariDataSource pool() {
    HikariConfig config = new HikariConfig();
    config.setDataSource(database.dataSource());
    config.setMaximumPoolSize(3);
    return new HikariDataSource(config);
  }
}
