package dev.ingest.postgres;

import static dev.ingest.postgres.DayPartitions.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ingest.event.Event;
import dev.ingest.event.IngestException;
import dev.ingest.mapping.WriteRules;
import dev.ingest.mapping.WriteRules.MissingPartition;
import dev.ingest.mapping.WriteRules.Prefilter;
import dev.ingest.pipeline.EventWriter;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.LockScheme;
import dev.ingest.plan.RejectedEvent;
import dev.ingest.testkit.Events;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One row for a key (I2) in a table whose only unique index is on key and time. */
class PartitionedTargetIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private final TestDatabase database = POSTGRES.database();
  private final DayPartitions days = new DayPartitions(database);

  @BeforeAll
  static void parkedTable() {
    Schema.create(POSTGRES.database());
  }

  @Test
  void keyThatComesAgainWithAnotherTimeIsADuplicateInEitherOrderAndAfterARestart() {
    days.create(3);
    StoreDriver driver = days.driver();
    driver.write(List.of(driver.event("a", payload(0)), driver.event("b", payload(2))));

    StoreDriver.Sums same =
        driver.write(List.of(driver.event("a", payload(2)), driver.event("b", payload(0))));
    StoreDriver restarted = days.driver();
    StoreDriver.Sums later =
        restarted.write(
            List.of(restarted.event("a", payload(1)), restarted.event("c", payload(1))));

    assertThat(same.duplicates()).isEqualTo(2);
    assertThat(later.inserted()).isOne();
    assertThat(days.rows()).containsExactly("a 2018-01-01", "b 2018-01-03", "c 2018-01-02");
  }

  @Test
  void twoWritersAtTheSameMomentGiveOneRow() throws Exception {
    days.create(2);
    int rounds = 30;
    int keys = 40;
    CyclicBarrier together = new CyclicBarrier(2);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    List<Future<Integer>> inserted = new ArrayList<>();
    for (int writer = 0; writer < 2; writer++) {
      int day = writer;
      StoreDriver driver = days.driver();
      inserted.add(
          threads.submit(
              () -> {
                int sum = 0;
                for (int round = 0; round < rounds; round++) {
                  List<Event> events = new ArrayList<>();
                  for (int key = 0; key < keys; key++) {
                    events.add(driver.event("k" + (round * keys + key), payload(day)));
                  }
                  together.await();
                  sum += driver.write(events).inserted();
                }
                return sum;
              }));
    }
    int sum = inserted.get(0).get() + inserted.get(1).get();
    threads.shutdown();

    assertThat(days.count()).isEqualTo((long) rounds * keys).isEqualTo(sum);
    assertThat(database.count("SELECT count(DISTINCT id) FROM app.t"))
        .isEqualTo((long) rounds * keys);
  }

  @Test
  void withoutLocksItIsRefused() {
    days.create(1);
    StoreDriver driver = days.driver();

    assertThatThrownBy(
            () -> driver.write(LockScheme.none(), List.of(driver.event("a", payload(0)))))
        .isInstanceOf(IngestException.class)
        .hasMessageContaining("set ingest.lock.mode=key or stripe");
    assertThat(
            TargetCheck.problems(
                database.dataSource(),
                DayPartitions.mapping(
                    new WriteRules(false, null, Prefilter.AUTO, MissingPartition.PARK))))
        .containsExactly(
            "ingest.target.key-columns=id has no unique index, so only locks keep keys apart, and"
                + " ingest.lock.mode=none takes none; set it to key or stripe");
  }

  @Test
  void everyPartitionNeedsAnIndexOnTheKey() {
    database.execute("DROP SCHEMA IF EXISTS app CASCADE");
    database.execute(
        """
        CREATE SCHEMA app;
        CREATE TABLE app.t (id text, at timestamptz, n integer) PARTITION BY RANGE (at);
        CREATE TABLE app.t0 PARTITION OF app.t FOR VALUES FROM ('2018-01-01Z') TO ('2018-01-02Z');
        CREATE TABLE app.t1 PARTITION OF app.t FOR VALUES FROM ('2018-01-02Z') TO ('2018-01-03Z');
        CREATE INDEX ON app.t0 (id);
        CREATE INDEX ON app.t1 (at, id)
        """);

    List<String> lacking = problems();
    database.execute("CREATE INDEX ON app.t1 (id, at)");
    List<String> enough = problems();
    database.execute("DROP TABLE app.t0, app.t1");
    List<String> empty = problems();

    assertThat(lacking)
        .containsExactly(
            "ingest.target.key-columns=id has no index to find a key by in 1 of 2 partitions, such"
                + " as app.t1; CREATE INDEX ON app.t (\"id\")");
    assertThat(enough).isEmpty();
    assertThat(empty)
        .containsExactly(
            "ingest.target.key-columns=id has no index to find a key by; CREATE INDEX ON app.t"
                + " (\"id\")");
  }

  private List<String> problems() {
    return TargetCheck.problems(database.dataSource(), DayPartitions.mapping(WriteRules.DEFAULT));
  }

  @Test
  void tableInOnePieceNeedsNoUniqueIndexEither() {
    database.execute("DROP SCHEMA IF EXISTS app CASCADE");
    database.execute("CREATE SCHEMA app");
    database.execute("CREATE TABLE app.t (id text, at timestamptz, n integer)");
    database.execute("CREATE INDEX ON app.t (id)");
    StoreDriver driver = days.driver();

    driver.write(List.of(driver.event("a", payload(0)), driver.event("b", payload(0))));
    StoreDriver.Sums again =
        driver.write(List.of(driver.event("b", payload(5)), driver.event("c", payload(0))));

    assertThat(again.duplicates()).isOne();
    assertThat(days.count()).isEqualTo(3);
  }

  @Test
  void rowWithoutPartitionIsParkedWithItsReasonAndTheRestIsStored() {
    days.create(2);
    StoreDriver driver = days.driver();

    StoreDriver.Sums sums =
        driver.write(
            List.of(
                driver.event("a", payload(0)),
                driver.event("b", payload(7)),
                driver.event("c", payload(1))));

    assertThat(sums.inserted()).isEqualTo(2);
    assertThat(sums.parked()).extracting(RejectedEvent::sqlState).containsExactly("23514");
    assertThat(sums.parked())
        .extracting(RejectedEvent::reason)
        .containsExactly("no partition takes the row, table=t");
  }

  @Test
  void rowWithoutPartitionPausesUntilItIsThere() {
    days.create(1);
    StoreDriver driver =
        days.driver(new WriteRules(true, null, Prefilter.AUTO, MissingPartition.PAUSE));
    List<Event> events = List.of(driver.event("a", payload(0)), driver.event("b", payload(1)));

    assertThatThrownBy(() -> driver.write(events))
        .isInstanceOfSatisfying(
            StoreFault.class, fault -> assertThat(fault.kind()).isEqualTo(FaultKind.ENVIRONMENT))
        .hasMessage(
            "no partition of table t takes event t-0@1; create it, or set"
                + " ingest.errors.missing-partition=park");
    assertThat(days.count()).isZero();
    days.attach(1);

    assertThat(driver.write(events).inserted()).isEqualTo(2);
  }

  @Test
  void partitionsComeAndGoWhileItWrites() {
    days.create(2);
    StoreDriver driver = days.driver();
    int written = 0;
    for (int day = 2; day < 14; day++) { // well past where the driver prepares on the server
      days.attach(day);
      for (int round = 0; round < 3; round++) {
        written +=
            driver
                .write(
                    List.of(
                        driver.event("k" + written, payload(day)),
                        driver.event("first", payload(day))))
                .inserted();
      }
      days.drop(day - 1);
    }

    // the day that holds "first" is dropped two days later, and then it comes again
    assertThat(written).isEqualTo(12 * 3 + 6);
    assertThat(database.count("SELECT count(*) FROM app.t WHERE id = 'first'")).isZero();
  }

  /** Whatever a transaction meets of it, the batch is tried again, and no event is blamed. */
  @Test
  void partitionsComeAndGoInTheMiddleOfItsTransactions() {
    days.create(2);
    EventWriter writer =
        NewEventsIT.writer(
            database.dataSource(),
            DayPartitions.mapping(WriteRules.DEFAULT),
            OptionalInt.empty(),
            NewEvents.NONE);
    CompletableFuture<Void> keeper =
        CompletableFuture.runAsync(
            () -> {
              for (int day = 2; day < 22; day++) {
                days.attach(day);
                days.drop(day);
              }
            });
    Events events = Events.of("t", 0);
    int rounds = 0;
    for (; rounds < 10 || !keeper.isDone(); rounds++) {
      List<Event> some = new ArrayList<>(); // ten keys of the round before, ten new ones
      for (int key = rounds * 10; key < rounds * 10 + 20; key++) {
        some.add(events.event("k" + key, payload(rounds % 2)));
      }
      assertThat(writer.write(some, Duration.ofSeconds(60)))
          .isEqualTo(new EventWriter.Result(rounds == 0 ? 20 : 10, rounds == 0 ? 0 : 10, 0, 0));
    }
    keeper.join();

    assertThat(days.count())
        .isEqualTo(rounds * 10L + 10)
        .isEqualTo(database.count("SELECT count(DISTINCT id) FROM app.t"));
  }
}
