package dev.ingest.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.ingest.pipeline.ConsumerSettings;
import dev.ingest.pipeline.EventWriter;
import dev.ingest.plan.HashText;
import dev.ingest.plan.KeyReader;
import dev.ingest.testkit.Events;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.PGConnection;

/**
 * I3, I4 and I7, read from {@code pg_locks} while a writer stands still in the middle of its locks.
 */
class LockOrderIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  @BeforeAll
  static void createSchema(TestDatabase database) {
    Schema.create(database);
  }

  @BeforeEach
  void empty(TestDatabase database) {
    database.execute("TRUNCATE ingest.event, ingest.parked");
  }

  @Test
  void locksAreTakenInAscendingOrderOfTheSignedHash(TestDatabase database) throws Exception {
    List<String> keys = IntStream.range(0, 100).mapToObj(i -> "order-" + i).toList();
    List<Integer> ascending = keys.stream().map(HashText::hash).sorted().toList();
    int stopAt = 60;
    String blocked = keyOf(keys, ascending.get(stopAt));

    try (Connection holder = holding(database, blocked)) {
      CompletableFuture<EventWriter.Result> writing = writeLater(database, keys);
      List<Integer> held = heldBesides(database, blocked, stopAt);
      assertThat(held).containsExactlyInAnyOrderElementsOf(ascending.subList(0, stopAt));
      holder.rollback();
      assertThat(writing.get(30, TimeUnit.SECONDS)).isEqualTo(new EventWriter.Result(100, 0, 0, 0));
    }
    assertThat(database.advisoryLocks()).isEmpty();
  }

  @Test
  void oneTransactionTakesFewerLocksThanTheServersSetting(TestDatabase database) throws Exception {
    int setting =
        Integer.parseInt(String.valueOf(database.column("SHOW max_locks_per_transaction").get(0)));
    List<String> keys = IntStream.range(0, 2 * setting).mapToObj(i -> "many-" + i).toList();
    List<Integer> ascending = keys.stream().map(HashText::hash).sorted().toList();

    long most = 0;
    for (int stopAt = setting - 60; stopAt < setting + 20; stopAt += 4) {
      database.execute("TRUNCATE ingest.event");
      try (Connection holder = holding(database, keyOf(keys, ascending.get(stopAt)))) {
        int mine = pid(holder);
        CompletableFuture<EventWriter.Result> writing = writeLater(database, keys);
        await().atMost(SOON).until(() -> waiting(database, mine) == 1);
        most = Math.max(most, locksOfWaiter(database, mine));
        holder.rollback();
        assertThat(writing.get(30, TimeUnit.SECONDS).inserted()).isEqualTo(keys.size());
      }
    }

    assertThat(most).isBetween(setting - 80L, setting - 1L);
  }

  @Test
  void noLockOutlivesItsTransactionInAPooledConnection(TestDatabase database) {
    try (HikariDataSource pool = pool(database, 1)) {
      writer(pool).write(Events.of("pooled", 0).keys("a", "b", "c"), SOON);

      assertThat(pool.getHikariPoolMXBean().getTotalConnections()).isEqualTo(1);
      assertThat(database.advisoryLocks()).isEmpty();
    }
  }

  @Test
  void foreignLockOnAKeyMakesItsEventWaitAndNothingFail(TestDatabase database) throws Exception {
    try (Connection holder = holding(database, "k1")) {
      CompletableFuture<EventWriter.Result> waiting = writeLater(database, List.of("k1"));
      assertThat(write(database, List.of("k2"))).isEqualTo(new EventWriter.Result(1, 0, 0, 0));
      assertThat(waiting.isDone()).isFalse();
      holder.rollback();
      assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo(new EventWriter.Result(1, 0, 0, 0));
    }
  }

  @Test
  void keysWithOneHashBothLand(TestDatabase database) {
    List<String> pair = List.of("order-333215", "order-47776");
    assertThat(HashText.hash(pair.get(0))).isEqualTo(HashText.hash(pair.get(1)));

    assertThat(write(database, pair)).isEqualTo(new EventWriter.Result(2, 0, 0, 0));
    assertThat(write(database, pair)).isEqualTo(new EventWriter.Result(0, 2, 0, 0));
  }

  @Test
  void writersWithOppositeArrivalOrderNeverDeadlock(TestDatabase database) throws Exception {
    long before = database.deadlocks();
    try (HikariDataSource pool = pool(database, 2)) {
      EventWriter one = writer(pool);
      EventWriter other = writer(pool);
      for (int round = 0; round < 200; round++) {
        String name = "round-" + round + "-";
        List<String> keys = IntStream.range(0, 500).mapToObj(i -> name + i).toList();
        List<String> reversed = new ArrayList<>(keys);
        Collections.reverse(reversed);
        CyclicBarrier together = new CyclicBarrier(2);
        CompletableFuture<EventWriter.Result> first = writeTogether(one, keys, together);
        CompletableFuture<EventWriter.Result> second = writeTogether(other, reversed, together);
        assertThat(
                first.get(60, TimeUnit.SECONDS).inserted()
                    + second.get(60, TimeUnit.SECONDS).inserted())
            .isEqualTo(500);
      }
    }

    assertThat(database.deadlocks()).isEqualTo(before);
    assertThat(database.count("SELECT count(*) FROM ingest.event")).isEqualTo(100_000);
  }

  private static CompletableFuture<EventWriter.Result> writeTogether(
      EventWriter writer, List<String> keys, CyclicBarrier together) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            together.await(30, TimeUnit.SECONDS);
          } catch (Exception broken) {
            throw new IllegalStateException(broken);
          }
          return write(writer, keys);
        });
  }

  private static CompletableFuture<EventWriter.Result> writeLater(
      TestDatabase database, List<String> keys) {
    return CompletableFuture.supplyAsync(() -> write(database, keys));
  }

  private static EventWriter.Result write(TestDatabase database, List<String> keys) {
    return write(writer(database.dataSource()), keys);
  }

  private static EventWriter.Result write(EventWriter writer, List<String> keys) {
    return writer.write(Events.of("locks", 0).keys(keys), SOON);
  }

  private static EventWriter writer(DataSource dataSource) {
    return new EventWriter(
        new PostgresEventStore(dataSource, StoreSettings.defaults()),
        ConsumerSettings.of(KeyReader.recordKey()));
  }

  private static HikariDataSource pool(TestDatabase database, int size) {
    HikariDataSource pool = new HikariDataSource();
    pool.setDataSource(database.dataSource());
    pool.setMaximumPoolSize(size);
    return pool;
  }

  private static Connection holding(TestDatabase database, String key) throws SQLException {
    Connection holder = database.connect();
    holder.setAutoCommit(false);
    try (PreparedStatement lock =
        holder.prepareStatement("SELECT pg_advisory_xact_lock(hashtext(?))")) {
      lock.setString(1, key);
      lock.execute();
    }
    return holder;
  }

  private static String keyOf(List<String> keys, int hash) {
    return keys.stream().filter(key -> HashText.hash(key) == hash).findFirst().orElseThrow();
  }

  /** The hashes that are locked beside the blocked one, once a writer waits for that one. */
  private static List<Integer> heldBesides(TestDatabase database, String blocked, int count) {
    await().atMost(SOON).until(() -> database.advisoryLocks().size() == count + 2);
    int waitedFor = HashText.hash(blocked);
    return database.advisoryLocks().stream()
        .map(lock -> (int) lock.key())
        .filter(hash -> hash != waitedFor)
        .toList();
  }

  private static int pid(Connection connection) throws SQLException {
    return connection.unwrap(PGConnection.class).getBackendPID();
  }

  private static long waiting(TestDatabase database, int holder) {
    return database.count(
        "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'advisory' AND pid <> ?",
        holder);
  }

  private static long locksOfWaiter(TestDatabase database, int holder) {
    return database.count(
        """
        SELECT count(*) FROM pg_locks
        WHERE pid = (SELECT pid FROM pg_locks
                     WHERE NOT granted AND locktype = 'advisory' AND pid <> ?)
        """,
        holder);
  }
}
