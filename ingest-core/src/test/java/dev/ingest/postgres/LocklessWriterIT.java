package dev.ingest.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ingest.event.Event;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.postgres.StoreDriver.Sums;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The locks do not keep all keys apart: somebody inserts without them, or the table is not what it
 * was. The sequence shows which insert was run: each one that conflicts advances it, a key that is
 * found first does not.
 */
class LocklessWriterIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private static final TargetMapping MAPPING =
      StoreDriver.mapping("app.t", Map.of("id", "key", "n", "json:/n"));

  private static final Duration SOON = Duration.ofSeconds(30);

  private final TestDatabase database = POSTGRES.database();
  private final StoreDriver driver = new StoreDriver(database.dataSource(), MAPPING);

  @BeforeAll
  static void parkedTable() {
    Schema.create(POSTGRES.database());
  }

  @BeforeEach
  void emptySchema() {
    database.execute("DROP SCHEMA IF EXISTS app CASCADE");
    database.execute("CREATE SCHEMA app");
    database.execute(
        """
        CREATE TABLE app.t (
          id text COLLATE "C" PRIMARY KEY, n int UNIQUE, seq bigint GENERATED ALWAYS AS IDENTITY)
        """);
  }

  private List<Event> events(int from, int to) {
    List<Event> events = new ArrayList<>();
    for (int i = from; i < to; i++) {
      events.add(driver.event("key-" + i, "{\"n\": " + i + "}"));
    }
    return events;
  }

  private Connection inserting(String key, int n) throws SQLException {
    Connection outsider = database.connect();
    outsider.setAutoCommit(false);
    try (PreparedStatement insert =
        outsider.prepareStatement(
            "INSERT INTO app.t (id, n, seq) OVERRIDING SYSTEM VALUE VALUES (?, ?, -1)")) {
      insert.setString(1, key);
      insert.setInt(2, n);
      insert.execute();
    }
    return outsider;
  }

  private CompletableFuture<Sums> waitingWrite(List<Event> events) {
    CompletableFuture<Sums> writing = CompletableFuture.supplyAsync(() -> driver.write(events));
    await()
        .atMost(SOON)
        .until(
            () ->
                writing.isDone()
                    || database.count("SELECT count(*) FROM pg_locks WHERE NOT granted") == 1);
    assertThat(writing).isNotDone();
    return writing;
  }

  private long sequence() {
    return database.count("SELECT last_value FROM app.t_seq_seq");
  }

  @Test
  void keyOfAnotherThatCommitsWhileWeWaitIsADuplicate() throws Exception {
    try (Connection outsider = inserting("key-5", 1000)) {
      CompletableFuture<Sums> writing = waitingWrite(events(0, 10));
      outsider.commit();

      assertThat(writing.get(30, TimeUnit.SECONDS)).isEqualTo(new Sums(9, 1, List.of(), 0));
    }
    assertThat(database.column("SELECT n FROM app.t WHERE id = 'key-5'")).containsExactly(1000);
    assertThat(database.count("SELECT count(*) FROM app.t")).isEqualTo(10);
  }

  @Test
  void keyOfAnotherThatRollsBackWhileWeWaitIsOurs() throws Exception {
    try (Connection outsider = inserting("key-5", 1000)) {
      CompletableFuture<Sums> writing = waitingWrite(events(0, 10));
      outsider.rollback();

      assertThat(writing.get(30, TimeUnit.SECONDS)).isEqualTo(new Sums(10, 0, List.of(), 0));
    }
    assertThat(sequence()).isEqualTo(10);
  }

  @Test
  void otherUniqueIndexRefusesItsEventAlone() {
    driver.write(events(0, 1));
    List<Event> events = events(1, 10);
    events.add(driver.event("other", "{\"n\": 0}"));

    Sums sums = driver.write(events);

    assertThat(sums.inserted()).isEqualTo(9);
    assertThat(sums.parked()).hasSize(1);
    assertThat(sums.parked().get(0).constraint()).isEqualTo("t_n_key");
    long before = sequence();
    assertThat(driver.write(events(0, 10)).duplicates()).isEqualTo(10);
    assertThat(sequence()).as("keys are looked for first, as before").isEqualTo(before);
  }

  @Test
  void withoutItsUniqueIndexNothingIsWritten() {
    driver.write(events(0, 1));
    database.execute("ALTER TABLE app.t DROP CONSTRAINT t_pkey");

    assertThatThrownBy(() -> driver.write(events(0, 2)))
        .isInstanceOfSatisfying(
            StoreFault.class, fault -> assertThat(fault.sqlState()).isEqualTo("42P10"));
    assertThat(database.count("SELECT count(*) FROM app.t")).isEqualTo(1);

    database.execute("ALTER TABLE app.t ADD PRIMARY KEY (id)");
    assertThat(driver.write(events(0, 2))).isEqualTo(new Sums(1, 1, List.of(), 0));
  }

  @Test
  void indexOfAnotherCollationIsNotLookedInto() throws SQLException {
    database.execute("DROP TABLE app.t");
    database.execute("CREATE TABLE app.t (id text COLLATE \"C\" PRIMARY KEY, n int)");
    assertThat(target().underLocks()).isNotNull();

    database.execute("ALTER TABLE app.t DROP CONSTRAINT t_pkey");
    database.execute("CREATE UNIQUE INDEX ON app.t (id COLLATE \"POSIX\")");

    assertThat(target().underLocks()).isNull();
    assertThat(driver.write(events(0, 2))).isEqualTo(new Sums(2, 0, List.of(), 0));
    assertThat(driver.write(events(0, 3))).isEqualTo(new Sums(1, 2, List.of(), 0));
  }

  private TargetTable target() throws SQLException {
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      return Targets.resolve(connection, Map.of("r", MAPPING)).values().iterator().next();
    }
  }

  @Test
  void keysOfInheritingTablesAreTheirOwn() {
    driver.write(events(0, 1));
    database.execute("CREATE TABLE app.old () INHERITS (app.t)");
    database.execute(
        "WITH gone AS (DELETE FROM ONLY app.t RETURNING *) INSERT INTO app.old SELECT * FROM gone");

    assertThat(driver.write(events(0, 1)).inserted()).isEqualTo(1);
  }

  @Test
  void keyThatATriggerChangesIsADuplicateWhateverRefusesItFirst() {
    database.execute("DROP TABLE app.t");
    database.execute("CREATE TABLE app.t (id text COLLATE \"C\", n int, EXCLUDE (id WITH =))");
    database.execute("ALTER TABLE app.t ADD PRIMARY KEY (id)");
    database.execute(
        """
        CREATE FUNCTION app.lower_id() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN NEW.id := lower(NEW.id); RETURN NEW; END $$;
        CREATE TRIGGER lower_id BEFORE INSERT ON app.t FOR EACH ROW EXECUTE FUNCTION app.lower_id()
        """);

    assertThat(driver.write(List.of(driver.event("KEY", "{}"))).inserted()).isEqualTo(1);
    assertThat(driver.write(List.of(driver.event("KEY", "{}"))).duplicates()).isEqualTo(1);
  }
}
