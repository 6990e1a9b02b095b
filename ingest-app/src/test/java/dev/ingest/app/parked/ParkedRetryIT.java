package dev.ingest.app.parked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ingest.event.Event;
import dev.ingest.pipeline.EventWriter;
import dev.ingest.queue.JobQueue;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ParkedRetryIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private ParkedRetry retry;

  @BeforeAll
  static void createSchema(TestDatabase database) {
    Schema.create(database);
  }

  @BeforeEach
  void tables(TestDatabase database) {
    ParkedOrders.createTables(database);
    retry = ParkedOrders.retry(database);
  }

  private RetryTally all() throws SQLException {
    return ParkedOrders.all(retry, new TreeMap<>());
  }

  private static long count(TestDatabase database, String condition) {
    return database.count("SELECT count(*) FROM ingest.parked WHERE " + condition);
  }

  @Test
  void eventsComeBackOnceTheirCauseIsGoneAndTheOthersKeepTheirFirstReason(TestDatabase database)
      throws SQLException {
    assertThat(ParkedOrders.write(database, 0, 1, "late", 5).parked()).isEqualTo(1);
    ParkedOrders.copy(database, 1, 1199, "default");
    assertThat(ParkedOrders.write(database, 5000, 3, "late", -1).parked()).isEqualTo(3);
    database.execute("INSERT INTO customer VALUES ('late')");

    assertThat(retry.ask(ParkedFilter.all())).isEqualTo(1203);
    assertThat(retry.ask(ParkedFilter.all())).as("asked twice").isZero();
    assertThat(all()).isEqualTo(new RetryTally(1200, 3, 0, 0));

    assertThat(database.count("SELECT count(*) FROM orders")).isEqualTo(1200);
    assertThat(count(database, "status = 'stored'")).isEqualTo(1200);
    assertThat(
            count(
                database,
                "status = 'parked' AND attempts = 2 AND first_reason LIKE '%orders_amount_check%'"))
        .isEqualTo(3);
    assertThat(database.count("SELECT count(*) FROM ingest.job")).isZero();
  }

  @Test
  void theLastReasonIsOverwrittenAndTheFirstIsKept(TestDatabase database) throws SQLException {
    ParkedOrders.write(database, 0, 1, "late", 5);
    database.execute("ALTER TABLE orders ADD CONSTRAINT tiny CHECK (amount < 2) NOT VALID");
    database.execute("INSERT INTO customer VALUES ('late')");

    retry.ask(ParkedFilter.all());
    assertThat(all()).isEqualTo(new RetryTally(0, 1, 0, 0));

    assertThat(
            count(
                database,
                "first_sqlstate = '23503' AND last_sqlstate = '23514' AND constraint_name = 'tiny'"))
        .isEqualTo(1);
  }

  @Test
  void anEventWhoseKeyIsThereByNowAddsNoRow(TestDatabase database) throws SQLException {
    ParkedOrders.write(database, 7, 1, "late", 5);
    database.execute("INSERT INTO customer VALUES ('late')");
    database.execute("INSERT INTO orders VALUES ('order 7', 'late', 1)");

    retry.ask(ParkedFilter.all());

    assertThat(all()).isEqualTo(new RetryTally(1, 0, 0, 0));
    assertThat(database.column("SELECT amount::int FROM orders")).containsExactly(1);
  }

  @Test
  void filtersSayWhichEventsAreTried(TestDatabase database) throws SQLException {
    ParkedOrders.write(database, 0, 4, "late", 5);
    ParkedOrders.write(database, 100, 4, "late", -5);
    ParkedFilter all = ParkedFilter.all();

    assertThat(retry.ask(byConstraint("no_such"))).isZero();
    assertThat(retry.ask(byConstraint("orders_amount_check"))).isEqualTo(4);
    assertThat(retry.ask(all.triedLessThan(1))).isZero();
    assertThat(retry.ask(all.of(ParkedFilter.DISCARDED))).isZero();
    assertThat(retry.ask(all.triedLessThan(2))).isEqualTo(4);
  }

  private static ParkedFilter byConstraint(String name) {
    return new ParkedFilter(
        "orders", null, null, null, "23514", name, null, null, null, List.of(ParkedFilter.PARKED));
  }

  @Test
  void whatADiedProcessHadInHandIsThereAtOnce(TestDatabase database) throws SQLException {
    ParkedOrders.write(database, 0, 10, "late", 5);
    retry.ask(ParkedFilter.all());
    try (Connection died = database.connect()) {
      died.setAutoCommit(false);
      new JobQueue().hold(died, ParkedPosition.QUEUE, 10);
      assertThat(all()).as("in the other's hand").isEqualTo(RetryTally.NONE);
      died.abort(Runnable::run);
    }
    database.awaitNoSessions();

    assertThat(all()).isEqualTo(new RetryTally(0, 10, 0, 0));
  }

  @Test
  void discardedEventsAreLeftAloneUntilAskedFor(TestDatabase database) throws SQLException {
    ParkedOrders.write(database, 0, 5, "late", 5);
    retry.ask(ParkedFilter.all());
    try (Connection connection = database.connect()) {
      assertThat(new ParkedTable().discard(connection, ParkedFilter.all(), false)).isEqualTo(5);
    }
    database.execute("INSERT INTO customer VALUES ('late')");

    assertThat(all()).isEqualTo(new RetryTally(0, 0, 5, 0));
    assertThat(retry.askDiscarded(ParkedFilter.all().of(ParkedFilter.DISCARDED))).isEqualTo(5);
    assertThat(all()).isEqualTo(new RetryTally(5, 0, 0, 0));
  }

  /** What a kill between two statements leaves, an error does too. */
  @Test
  void discardedEventsAreAskedForAndParkedInOneTransaction(TestDatabase database)
      throws SQLException {
    ParkedOrders.write(database, 0, 5, "late", 5);
    ParkedFilter discarded = ParkedFilter.all().of(ParkedFilter.DISCARDED);
    try (Connection connection = database.connect()) {
      new ParkedTable().discard(connection, ParkedFilter.all(), false);
    }
    database.execute("ALTER TABLE ingest.job ADD CONSTRAINT none CHECK (false) NOT VALID");

    assertThatThrownBy(() -> retry.askDiscarded(discarded)).isInstanceOf(SQLException.class);
    database.execute("ALTER TABLE ingest.job DROP CONSTRAINT none");

    assertThat(retry.askDiscarded(discarded)).isEqualTo(5);
  }

  @Test
  void causesThatHealAreTriedAgainAfterAGrowingDelayAndNotForEver(TestDatabase database)
      throws SQLException {
    ParkedOrders.write(database, 0, 2, "late", 5);
    ParkedOrders.write(database, 10, 2, "late", -5);
    assertThat(retry.ask(ParkedOrders.FOREIGN_KEYS)).as("too early").isZero();

    ParkedOrders.age(database, 31);
    assertThat(retry.ask(ParkedOrders.FOREIGN_KEYS)).isEqualTo(2);
    assertThat(all()).isEqualTo(new RetryTally(0, 2, 0, 0));

    ParkedOrders.age(database, 59);
    assertThat(retry.ask(ParkedOrders.FOREIGN_KEYS)).as("the delay doubles").isZero();
    ParkedOrders.age(database, 2);
    assertThat(retry.ask(ParkedOrders.FOREIGN_KEYS)).isEqualTo(2);
    all();

    ParkedOrders.age(database, 100_000);
    assertThat(retry.ask(ParkedOrders.FOREIGN_KEYS)).as("tried three times").isZero();
  }

  /** By then the row may be that of an event after it; whoever asks by hand has looked. */
  @Test
  void aTombstoneThatDeletesIsTriedByHandAlone(TestDatabase database) throws SQLException {
    EventWriter deleting = ParkedOrders.deletingWriter(database.dataSource());
    database.execute("INSERT INTO customer VALUES ('known')");
    ParkedOrders.write(database, 0, 1, "known", 5);
    database.execute("CREATE TABLE invoice (id text REFERENCES orders)");
    database.execute("INSERT INTO invoice VALUES ('order 0')");
    List<Event> tombstone = List.of(ParkedOrders.tombstone(0));
    assertThat(deleting.write(tombstone, Duration.ofSeconds(30)).parked()).isOne();
    assertThat(count(database, "last_sqlstate = '23503'")).isOne();
    ParkedOrders.write(database, 10, 1, "late", 5);
    database.execute("DROP TABLE invoice");
    ParkedOrders.age(database, 31);

    assertThat(retry.ask(ParkedOrders.foreignKeys(List.of("default"))))
        .as("the late order alone")
        .isOne();
    assertThat(all()).isEqualTo(new RetryTally(0, 1, 0, 0));
    assertThat(retry.ask(ParkedOrders.foreignKeys(List.of("other"))))
        .as("an event like any other")
        .isOne();
    retry = new ParkedRetry(database.dataSource(), route -> deleting);
    assertThat(all()).isEqualTo(new RetryTally(1, 0, 0, 0));
    assertThat(database.count("SELECT count(*) FROM orders")).isZero();
  }

  @Test
  void aMissingPartitionHealsButNoOtherCheck(TestDatabase database) throws SQLException {
    ParkedOrders.write(database, 0, 1, "late", -5);
    ParkedOrders.write(database, 10, 1, "late", 5);
    database.execute(
        "UPDATE ingest.parked SET last_sqlstate = '23514', constraint_name = NULL WHERE last_sqlstate = '23503'");
    ParkedOrders.age(database, 31);

    assertThat(retry.ask(ParkedOrders.FOREIGN_KEYS)).isEqualTo(1);
  }

  @Test
  void theHealerTriesByItself(TestDatabase database) {
    ParkedOrders.write(database, 0, 3, "late", 5);
    database.execute("INSERT INTO customer VALUES ('late')");
    ParkedOrders.age(database, 31);

    try (ParkedHealer healer = new ParkedHealer(retry, ParkedOrders.FOREIGN_KEYS)) {
      healer.start();
      await().atMost(Duration.ofSeconds(30)).until(() -> count(database, "status = 'stored'") == 3);
    }

    assertThat(database.count("SELECT count(*) FROM orders")).isEqualTo(3);
  }

  @Test
  void anEventThatIsKeptInKafkaAloneIsPassedOver(TestDatabase database) throws SQLException {
    ParkedOrders.write(database, 0, 1, "late", 5);
    database.execute("UPDATE ingest.parked SET record_value = NULL, record_size = 5000000");

    retry.ask(ParkedFilter.all());

    assertThat(all()).isEqualTo(new RetryTally(0, 0, 1, 0));
    assertThat(count(database, "status = 'parked'")).isEqualTo(1);
  }
}
