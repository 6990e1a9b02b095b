package dev.ingest.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.event.Event;
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
 * Somebody inserts into the target without the locks that keep keys apart. The sequence shows which
 * insert was run: each one that conflicts advances it, a key that is found first does not.
 */
class LocklessWriterIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private static final Duration SOON = Duration.ofSeconds(30);

  private final TestDatabase database = POSTGRES.database();
  private final StoreDriver driver =
      new StoreDriver(
          database.dataSource(), StoreDriver.mapping("app.t", Map.of("id", "key", "n", "json:/n")));

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
}
