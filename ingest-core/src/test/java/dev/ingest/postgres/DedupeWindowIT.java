package dev.ingest.postgres;

import static dev.ingest.postgres.DayPartitions.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ingest.event.Event;
import dev.ingest.mapping.WriteRules;
import dev.ingest.mapping.WriteRules.MissingPartition;
import dev.ingest.mapping.WriteRules.Prefilter;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.plan.FaultKind;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One row for a key within the dedupe window (I2), and which partitions are searched for it. */
class DedupeWindowIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private static final Duration WEEK = Duration.ofDays(7);

  /** One for each day of a year and some more. */
  private static final int YEARS_EVENTS = 400;

  private final TestDatabase database = POSTGRES.database();
  private final DayPartitions days = new DayPartitions(database);

  @BeforeAll
  static void parkedTable() {
    Schema.create(POSTGRES.database());
  }

  @Test
  void windowCountsToBothSidesOfTheEventsOwnTimeAndIncludesItsEnds() {
    days.create(30);
    StoreDriver driver = days.driver(WEEK);
    driver.write(List.of(driver.event("a", payload(15, "12:00"))));

    assertThat(inserted(driver, "a", payload(22, "12:00"))).isZero();
    assertThat(inserted(driver, "a", payload(8, "12:00"))).isZero();
    assertThat(inserted(driver, "a", payload(22, "12:00:00.000001"))).isOne();
    assertThat(inserted(driver, "a", payload(8, "11:59:59.999999"))).isOne();
    // the rows of days 8 and 22 have windows of their own by now
    assertThat(inserted(driver, "a", payload(29, "00:00"))).isZero();
    assertThat(inserted(driver, "a", payload(1, "00:00"))).isOne();
    assertThat(days.count()).isEqualTo(4);
  }

  private static int inserted(StoreDriver driver, String key, String payload) {
    return driver.write(List.of(driver.event(key, payload))).inserted();
  }

  @Test
  void eachRowOfABatchHasItsOwnWindow() {
    days.create(30);
    StoreDriver driver = days.driver(Duration.ofDays(1));
    driver.write(List.of(driver.event("a", payload(2)), driver.event("b", payload(28))));

    StoreDriver.Sums sums =
        driver.write(List.of(driver.event("a", payload(28)), driver.event("b", payload(27))));

    assertThat(sums.inserted()).isOne();
    assertThat(days.rows()).containsExactly("a 2018-01-03", "a 2018-01-29", "b 2018-01-29");
  }

  /** Somebody works on a partition far away; that must not stop what does not need it. */
  @Test
  void partitionsOutsideTheWindowAreNotEvenLocked() throws SQLException {
    days.create(30);
    StoreDriver driver = days.driver(Duration.ofDays(2));
    try (Connection other = database.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE app.t20, app.t9 IN ACCESS EXCLUSIVE MODE");

      for (int i = 0; i < 12; i++) { // well past where the driver prepares on the server
        assertThat(inserted(driver, "k" + i, payload(15))).isOne();
      }
    }
  }

  @Test
  void waitForALockedPartitionIsBounded() throws SQLException {
    days.create(30);
    StoreDriver driver = days.driver(Duration.ofDays(2));
    try (Connection other = database.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE app.t14 IN ACCESS EXCLUSIVE MODE");

      assertThatThrownBy(() -> inserted(driver, "a", payload(15)))
          .isInstanceOfSatisfying(
              StoreFault.class,
              fault -> {
                assertThat(fault.kind()).isEqualTo(FaultKind.TRANSIENT);
                assertThat(fault.sqlState()).isEqualTo("55P03");
              });
    }
    assertThat(inserted(driver, "a", payload(15))).isOne();
  }

  @Test
  void aYearOfDaysIsReadByIndexAlone() {
    days.create(365);
    StoreDriver windowed = days.driver(WEEK);
    StoreDriver whole = days.driver();
    List<Event> events = new ArrayList<>();
    List<Event> moved = new ArrayList<>();
    for (int i = 0; i < YEARS_EVENTS; i++) {
      events.add(windowed.event("k" + i, payload(i % 365)));
      moved.add(windowed.event("k" + i, payload((i + 5) % 365)));
    }
    long before = sequentialScans();

    StoreDriver.Sums first = windowed.write(events);
    StoreDriver.Sums within = windowed.write(moved);
    StoreDriver.Sums anywhere = whole.write(moved);

    assertThat(first.inserted()).isEqualTo(YEARS_EVENTS);
    // five days of the 365 have moved around the end of the year, which is far away
    assertThat(within.inserted()).isEqualTo(lapping());
    assertThat(anywhere.duplicates()).isEqualTo(YEARS_EVENTS);
    assertThat(database.count("SELECT count(DISTINCT id) FROM app.t")).isEqualTo(YEARS_EVENTS);
    assertThat(sequentialScans()).isEqualTo(before);
    assertThat(whole.budget()).isEqualTo(127); // half of the server's 256, less one
  }

  private static int lapping() {
    int lapping = 0;
    for (int i = 0; i < YEARS_EVENTS; i++) {
      lapping += (i % 365) + 5 >= 365 ? 1 : 0;
    }
    return lapping;
  }

  private long sequentialScans() {
    database.awaitNoSessions();
    return database.count(
        "SELECT coalesce(sum(seq_scan), 0) FROM pg_stat_user_tables WHERE schemaname = 'app'");
  }

  @Test
  void timesThatNoBoundFitsAreStillHeldToTheirOwnWindow() {
    database.execute("DROP SCHEMA IF EXISTS app CASCADE");
    database.execute(
        """
        CREATE SCHEMA app;
        CREATE TABLE app.t (id text, at timestamptz, n integer) PARTITION BY RANGE (at);
        CREATE TABLE app.old PARTITION OF app.t FOR VALUES FROM (MINVALUE) TO ('2018-01-01Z');
        CREATE TABLE app.new PARTITION OF app.t FOR VALUES FROM ('2018-01-01Z') TO (MAXVALUE);
        CREATE INDEX ON app.t (id)
        """);
    StoreDriver driver = days.driver(WEEK);

    for (String time :
        List.of("infinity", "-infinity", "-0043-03-15T00:00Z", "+10000-01-01T00:00Z")) {
      assertThat(inserted(driver, "a", "{\"at\":\"" + time + "\"}")).as(time).isOne();
      assertThat(inserted(driver, "a", "{\"at\":\"" + time + "\"}")).as(time).isZero();
    }
    assertThat(driver.write(List.of(driver.event("a", "{}"))).parked())
        .singleElement()
        .satisfies(parked -> assertThat(parked.sqlState()).isEqualTo("23502"));
  }

  @Test
  void otherTimeTypesHaveWindowsToo() {
    for (String type : List.of("date", "timestamp", "timestamp(0)")) {
      database.execute("DROP SCHEMA IF EXISTS app CASCADE");
      database.execute("CREATE SCHEMA app");
      database.execute(
          "CREATE TABLE app.t (id text, at " + type + ", n integer) PARTITION BY RANGE (at)");
      database.execute(
          "CREATE TABLE app.a PARTITION OF app.t FOR VALUES FROM ('2018-01-01') TO ('2018-02-01')");
      database.execute(
          "CREATE TABLE app.b PARTITION OF app.t FOR VALUES FROM ('2018-02-01') TO ('2018-03-01')");
      database.execute("CREATE INDEX ON app.t (id)");
      StoreDriver driver = days.driver(Duration.ofDays(2));

      assertThat(inserted(driver, "a", time(type, "2018-02-01"))).as(type).isOne();
      assertThat(inserted(driver, "a", time(type, "2018-01-30"))).as(type).isZero();
      assertThat(inserted(driver, "a", time(type, "2018-01-29"))).as(type).isOne();
    }
  }

  private static String time(String type, String day) {
    return "{\"at\":\"%s%s\"}".formatted(day, type.equals("date") ? "" : "T00:00:00");
  }

  @Test
  void windowThatMeansNothingIsRefused() {
    database.execute("DROP SCHEMA IF EXISTS app CASCADE");
    database.execute("CREATE SCHEMA app");
    database.execute("CREATE TABLE app.t (id text, at timestamptz, n integer)");
    database.execute("CREATE INDEX ON app.t (id)");
    String plain = problem();
    database.execute("CREATE UNIQUE INDEX ON app.t (id)");
    String unique = problem();

    assertThat(plain)
        .contains("needs a table that is partitioned by ranges of a timestamp or date");
    assertThat(unique)
        .isEqualTo(
            "ingest.dedupe.window has no effect, since a unique index is on the key; leave it out");
  }

  private String problem() {
    List<String> problems =
        TargetCheck.problems(
            database.dataSource(),
            DayPartitions.mapping(
                new WriteRules(true, WEEK, Prefilter.AUTO, MissingPartition.PARK)));
    assertThat(problems).hasSize(1);
    return problems.get(0);
  }
}
