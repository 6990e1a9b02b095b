package dev.ingest.app.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ingest.event.IngestException;
import dev.ingest.plan.Backoff;
import dev.ingest.testkit.PostgresServer;
import dev.ingest.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MigrationsIT {
  private static final int INSTANCES = 8;
  private static final String HISTORY =
      "SELECT version FROM ingest.schema_history WHERE success ORDER BY installed_rank";

  private final ExecutorService threads = Executors.newFixedThreadPool(INSTANCES);
  private TestDatabase database;

  @BeforeEach
  void createDatabase() {
    database = PostgresServer.shared().createDatabase();
  }

  @AfterEach
  void dropDatabase() {
    threads.shutdownNow();
    database.server().dropDatabase(database);
  }

  @RepeatedTest(10)
  void eightInstancesAtOnceOnAnEmptyDatabaseAllSucceed() throws Exception {
    CyclicBarrier start = new CyclicBarrier(INSTANCES);
    Callable<MigrationResult> instance =
        () -> {
          Migrations migrations = new Migrations(database.dataSource());
          start.await();
          return migrations.migrate();
        };

    List<Future<MigrationResult>> running = new ArrayList<>();
    for (int i = 0; i < INSTANCES; i++) {
      running.add(threads.submit(instance));
    }

    int applied = 0;
    for (Future<MigrationResult> each : running) {
      assertThat(each.get().version()).isEqualTo(SchemaCheck.VERSION);
      applied += each.get().applied();
    }
    assertThat(applied).isEqualTo(SchemaCheck.VERSION);
    assertThat(database.column(HISTORY)).contains("1").doesNotHaveDuplicates();
    assertThat(database.count("SELECT count(*) FROM ingest.event")).isZero();
  }

  @Test
  void schemaThatIsUpToDateNeedsNoRightToCreate() {
    new Migrations(database.dataSource()).migrate();
    PGSimpleDataSource reader = role("reader");
    database.execute("GRANT USAGE ON SCHEMA ingest TO reader_" + database.name());
    database.execute("GRANT SELECT ON ingest.schema_history TO reader_" + database.name());

    MigrationResult result = new Migrations(reader).migrate();

    assertThat(result.applied()).isZero();
    SchemaCheck.require(reader);
  }

  @Test
  void schemaThatExistsIsFilledByARoleThatMayNotCreateSchemas() {
    PGSimpleDataSource owner = role("owner");
    database.execute("CREATE SCHEMA ingest AUTHORIZATION owner_" + database.name());

    assertThat(new Migrations(owner).migrate().applied()).isEqualTo(SchemaCheck.VERSION);
  }

  @Test
  void tablesOfTheUserInTheSchemaAreNoObstacle() {
    database.execute("CREATE SCHEMA ingest");
    database.execute("CREATE TABLE ingest.orders (id text PRIMARY KEY)");

    assertThat(new Migrations(database.dataSource()).migrate().applied())
        .isEqualTo(SchemaCheck.VERSION);
  }

  @Test
  void roleWithoutRightsIsToldInOneLine() {
    PGSimpleDataSource stranger = role("stranger");

    assertThatThrownBy(() -> new Migrations(stranger).migrate())
        .isInstanceOf(IngestException.class)
        .hasMessageStartingWith(
            "STORE_FAILED: migration failed, tries=1 sqlstate=42501. ERROR: permission denied")
        .hasMessageEndingWith("use a role that may CREATE in the database and in schema ingest.")
        .message()
        .doesNotContain("\n");
  }

  @Test
  void migrationBehindAnotherTransactionGivesUpAfterTwoSeconds() throws SQLException {
    database.execute("CREATE SCHEMA ingest");
    try (Connection other = database.connect()) {
      other.setAutoCommit(false);
      other.createStatement().execute("CREATE TABLE ingest.event (a int)");

      assertThatThrownBy(() -> migrations(1).migrate())
          .hasMessageStartingWith("STORE_FAILED: migration failed, tries=1")
          .hasMessageContaining("sqlstate=55P03");

      other.rollback();
    }
    assertThat(migrations(1).migrate().applied()).isEqualTo(SchemaCheck.VERSION);
  }

  @Test
  void blockedMigrationGoesOnOnceTheOtherTransactionEnds() throws Exception {
    database.execute("CREATE SCHEMA ingest");
    try (Connection other = database.connect()) {
      other.setAutoCommit(false);
      other.createStatement().execute("CREATE TABLE ingest.event (a int)");
      Future<MigrationResult> migration = threads.submit(() -> migrations(1000).migrate());
      awaitOneTimeout();

      other.rollback();

      assertThat(migration.get().applied()).isEqualTo(SchemaCheck.VERSION);
    }
  }

  @Test
  void dryRunShowsTheSqlAndChangesNothing() {
    Migrations migrations = new Migrations(database.dataSource());

    assertThat(migrations.pendingSql())
        .startsWith("CREATE SCHEMA ingest;")
        .contains("-- V1__event_and_parked.sql")
        .contains("CREATE TABLE ingest.event (");
    assertThat(database.count("SELECT count(*) FROM pg_namespace WHERE nspname = 'ingest'"))
        .isZero();

    migrations.migrate();
    assertThat(migrations.pendingSql()).isEmpty();
  }

  @Test
  void missingSchemaIsNamedWithTheWayOut() {
    assertThatThrownBy(() -> SchemaCheck.require(database.dataSource()))
        .hasMessage(
            "SCHEMA_MISSING: schema ingest of database "
                + database.name()
                + " is absent, version "
                + SchemaCheck.VERSION
                + " is needed; run ingest migrate with a role that may CREATE.");
  }

  @Test
  void historyThatMayNotBeReadIsNamedWithTheWayOut() {
    new Migrations(database.dataSource()).migrate();
    PGSimpleDataSource stranger = role("stranger");

    assertThatThrownBy(() -> SchemaCheck.require(stranger))
        .hasMessageStartingWith("SCHEMA_MISSING: role stranger_")
        .hasMessageContaining("GRANT SELECT ON ingest.schema_history");
  }

  @Test
  void newerSchemaSuitsAnOlderProgram() {
    new Migrations(database.dataSource()).migrate();
    database.execute(
        """
        INSERT INTO ingest.schema_history
          (installed_rank, version, description, type, script, checksum, installed_by, execution_time, success)
        VALUES (99, '99', 'later', 'SQL', 'V99__later.sql', 1, 'x', 1, true)""");

    SchemaCheck.require(database.dataSource());
    assertThat(new Migrations(database.dataSource()).migrate().applied()).isZero();
  }

  @Test
  void serverThatIsNotThereIsToldInOneLine() {
    PGSimpleDataSource nowhere = new PGSimpleDataSource();
    nowhere.setUrl("jdbc:postgresql://127.0.0.1:1/none");

    assertThatThrownBy(() -> new Migrations(nowhere).migrate())
        .isInstanceOf(IngestException.class)
        .hasMessageStartingWith("POSTGRES_UNAVAILABLE: ")
        .hasMessageContaining("sqlstate=08001")
        .message()
        .doesNotContain("\n");
  }

  private Migrations migrations(int maxTries) {
    Backoff backoff = new Backoff(Duration.ofMillis(1), Duration.ofMillis(10));
    return new Migrations(database.dataSource(), maxTries, backoff, new Random(1));
  }

  /** Until the migration's statement has waited and was cancelled once. */
  private void awaitOneTimeout() {
    String waiting =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    Awaitility.await("migration to wait").until(() -> database.count(waiting) > 0);
    Awaitility.await("lock_timeout to end the wait").until(() -> database.count(waiting) == 0);
  }

  /**
   * A role that may connect and nothing else. Roles belong to the server, so its name holds the
   * database's.
   */
  private PGSimpleDataSource role(String name) {
    String role = name + "_" + database.name();
    database.execute("CREATE ROLE " + role + " LOGIN");
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(database.url());
    dataSource.setUser(role);
    return dataSource;
  }
}
