package dev.ingest.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.ingest.event.Event;
import dev.ingest.event.IngestException;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.mapping.TombstoneRule;
import dev.ingest.mapping.WriteRules;
import dev.ingest.plan.KeyGroup;
import dev.ingest.plan.LockScheme;
import dev.ingest.plan.RejectedEvent;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tombstones on tables of one's own: rows deleted or marked, by the key alone. */
class TombstoneIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  private static final WriteRules DELETING = WriteRules.DEFAULT.with(TombstoneRule.parse("delete"));

  private final TestDatabase database = POSTGRES.database();

  @BeforeAll
  static void parkedTable() {
    Schema.create(POSTGRES.database());
  }

  @BeforeEach
  void emptySchema() {
    database.execute("DROP SCHEMA IF EXISTS app CASCADE; CREATE SCHEMA app");
  }

  private static TargetMapping mapping(WriteRules rules, String... columns) {
    Map<String, String> sources = new LinkedHashMap<>();
    for (int i = 0; i < columns.length; i += 2) {
      sources.put(columns[i], columns[i + 1]);
    }
    return StoreDriver.mapping("app.t", sources).with(rules);
  }

  private StoreDriver driver(WriteRules rules, String... columns) {
    return new StoreDriver(database.dataSource(), mapping(rules, columns));
  }

  /** Of {@code a=1} an event whose field n is 1, of {@code a} a tombstone. */
  private static List<Event> events(StoreDriver driver, String... words) {
    return Stream.of(words)
        .map(
            word -> {
              String[] parts = word.split("=", -1);
              return driver.event(
                  parts[0], parts.length == 1 ? null : "{\"n\":%s}".formatted(parts[1]));
            })
        .toList();
  }

  private List<@Nullable Object> rows() {
    return database.column("SELECT id::text || '=' || n FROM app.t ORDER BY id::text");
  }

  private static void assertCounts(
      StoreDriver.Sums sums, int inserted, int duplicates, int deleted) {
    assertThat(List.of(sums.inserted(), sums.duplicates(), sums.deleted()))
        .as("inserted, duplicates, deleted")
        .containsExactly(inserted, duplicates, deleted);
    assertThat(sums.parked()).isEmpty();
  }

  @Test
  void keyIsCastAsTheColumnHasIt() {
    database.execute("CREATE TABLE app.t (id bigint PRIMARY KEY, n integer)");
    StoreDriver driver = driver(DELETING, "id", "key", "n", "json:/n");

    assertCounts(driver.write(events(driver, "1=1", "2=2", "3=3")), 3, 0, 0);
    assertCounts(driver.write(events(driver, "1", "2", "2=5", "4")), 1, 1, 2);

    assertThat(rows()).containsExactly("2=5", "3=3");
    StoreDriver.Sums odd = driver.write(events(driver, "no number", "3"));
    assertThat(odd.deleted()).isOne();
    assertThat(odd.parked()).extracting(RejectedEvent::sqlState).containsExactly("22P02");
  }

  /** Events of a key are put in order by its text: by another one they would pass each other. */
  @Test
  void keyInAnotherTextThanItsColumnShowsIsParkedAlsoWithAUniqueIndex() {
    database.execute("CREATE TABLE app.t (id uuid PRIMARY KEY, n integer)");
    StoreDriver driver = driver(DELETING, "id", "key", "n", "json:/n");
    String shown = "3f2504e0-4f89-11d3-9a0c-0305e82c3301";
    String other = shown.toUpperCase(Locale.ROOT);

    StoreDriver.Sums inserted = driver.write(events(driver, other + "=1", shown));
    assertThat(inserted.parked()).extracting(RejectedEvent::sqlState).containsExactly("22P02");
    assertThat(rows()).isEmpty();
    driver.write(events(driver, shown + "=2"));
    StoreDriver.Sums deleted = driver.write(events(driver, other));
    assertThat(deleted.parked()).extracting(RejectedEvent::sqlState).containsExactly("22P02");
    assertThat(rows()).containsExactly(shown + "=2");
  }

  @Test
  void keyOfSeveralColumnsIsFoundWhole() {
    database.execute(
        "CREATE TABLE app.t (id text, source text, n integer, PRIMARY KEY (source, id))");
    database.execute("INSERT INTO app.t VALUES ('a', 'other', 7)");
    TargetMapping target =
        new TargetMapping(
                "ingest.target.",
                "app.t",
                List.of("id", "source"),
                mapping(DELETING, "id", "key", "n", "json:/n", "source", "topic").columns())
            .with(DELETING);
    StoreDriver driver = new StoreDriver(database.dataSource(), target);
    driver.write(events(driver, "a=1", "b=2"));

    assertCounts(driver.write(events(driver, "a")), 0, 0, 1);

    assertThat(rows()).containsExactly("a=7", "b=2");
  }

  /** A tombstone has no time, so it goes for the key in all partitions, whatever the window. */
  @Test
  void allRowsOfAKeyGoWhereItHasSeveral() {
    DayPartitions days = new DayPartitions(database);
    days.create(30);
    TargetMapping target =
        DayPartitions.mapping(
            new WriteRules(
                true,
                Duration.ofDays(2),
                WriteRules.Prefilter.AUTO,
                WriteRules.MissingPartition.PARK,
                TombstoneRule.parse("delete")));
    StoreDriver driver = new StoreDriver(database.dataSource(), target);
    driver.write(List.of(driver.event("a", DayPartitions.payload(1))));
    driver.write(List.of(driver.event("a", DayPartitions.payload(20))));
    driver.write(List.of(driver.event("b", DayPartitions.payload(3))));
    assertThat(days.count()).isEqualTo(3);

    assertCounts(
        driver.write(
            List.of(
                driver.event("a", null),
                driver.event("b", null),
                driver.event("b", DayPartitions.payload(9)))),
        1,
        0,
        2);

    assertThat(days.rows()).containsExactly("b 2018-01-10");
  }

  /** The tombstone is at fault where the row can't go, the other event where it can't come. */
  @Test
  void whatTheServerRefusesIsParkedAndNoMore() {
    database.execute(
        """
        CREATE TABLE app.t (id text PRIMARY KEY, n integer CHECK (n > 0));
        CREATE TABLE app.child (id text REFERENCES app.t)
        """);
    StoreDriver driver = driver(DELETING, "id", "key", "n", "json:/n");
    driver.write(events(driver, "a=1", "b=2", "c=3"));
    database.execute("INSERT INTO app.child VALUES ('a'), ('b')");
    List<Event> events = events(driver, "a", "b", "b=5", "c", "c=-1", "d=4");

    StoreDriver.Sums sums = driver.write(events);

    assertThat(sums.parked())
        .extracting(each -> each.event().offset(), RejectedEvent::sqlState)
        .containsExactlyInAnyOrder(
            tuple(events.get(0).offset(), "23503"),
            tuple(events.get(1).offset(), "23503"),
            tuple(events.get(4).offset(), "23514"));
    assertThat(List.of(sums.inserted(), sums.duplicates(), sums.deleted()))
        .containsExactly(1, 1, 1);
    assertThat(rows()).containsExactly("a=1", "b=2", "d=4");
  }

  /** A row that comes back is the new event's; those that refer to it still do. */
  @Test
  void softDeleteMarksARowAndALaterEventFillsItAnew() {
    database.execute(
        """
        CREATE TABLE app.t (
          id text PRIMARY KEY, n integer, kind text DEFAULT 'new', deleted_at timestamptz);
        CREATE TABLE app.child (id text REFERENCES app.t)
        """);
    StoreDriver driver =
        driver(
            WriteRules.DEFAULT.with(TombstoneRule.parse("soft-delete(deleted_at)")),
            "id",
            "key",
            "n",
            "json:/n",
            "kind",
            "json:/kind");
    driver.write(events(driver, "a=1", "b=2", "c=3"));
    database.execute("INSERT INTO app.child VALUES ('a'), ('b')");
    database.execute("UPDATE app.t SET kind = 'old'");

    assertCounts(driver.write(events(driver, "a", "b", "b=5", "a", "d")), 1, 2, 2);
    assertThat(database.column("SELECT id FROM app.t WHERE deleted_at IS NOT NULL"))
        .containsExactly("a");
    assertThat(database.column("SELECT id || n || kind FROM app.t WHERE deleted_at IS NULL"))
        .containsExactlyInAnyOrder("b5new", "c3old");
    assertCounts(driver.write(events(driver, "a=9", "b=9", "e=9")), 2, 1, 0);

    assertThat(rows()).containsExactly("a=9", "b=5", "c=3", "e=9");
    assertThat(database.count("SELECT count(*) FROM app.t WHERE deleted_at IS NOT NULL")).isZero();
  }

  @Test
  void softDeleteTakesABooleanToo() {
    database.execute(
        "CREATE TABLE app.t (id text PRIMARY KEY, n integer, gone boolean NOT NULL DEFAULT false)");
    StoreDriver driver =
        driver(
            WriteRules.DEFAULT.with(TombstoneRule.parse("soft-delete(gone)")),
            "id",
            "key",
            "n",
            "json:/n");

    assertCounts(driver.write(events(driver, "a=1", "b=2", "a")), 1, 2, 0);
    assertCounts(driver.write(events(driver, "b", "a=3", "a", "a=4")), 1, 2, 1);

    assertThat(database.column("SELECT id || n || gone FROM app.t ORDER BY id"))
        .containsExactly("a4false", "b2true");
  }

  /** Only what is stored in the end is told of; a row that went in between made nothing. */
  @Test
  void newEventsAreThoseThatStay() {
    database.execute("CREATE TABLE app.t (id text PRIMARY KEY, n integer)");
    List<String> told = new ArrayList<>();
    NewEvents listener =
        new NewEvents() {
          @Override
          public List<String> tables(String route) {
            return List.of("app.t");
          }

          @Override
          public void stored(Connection connection, String route, List<KeyGroup> groups) {
            groups.forEach(each -> told.add(each.key().value() + each.first().offset()));
          }
        };
    StoreDriver driver =
        new StoreDriver(
            database.dataSource(), mapping(DELETING, "id", "key", "n", "json:/n"), listener);

    assertCounts(driver.write(events(driver, "a=1", "a", "b", "b=2", "c=3", "c", "c=4")), 2, 5, 0);

    assertThat(told).containsExactlyInAnyOrder("b3", "c6");
  }

  @Test
  void withoutLocksNothingIsDeleted() {
    database.execute("CREATE TABLE app.t (id text PRIMARY KEY, n integer)");
    StoreDriver driver = driver(DELETING, "id", "key", "n", "json:/n");

    assertThatThrownBy(() -> driver.write(LockScheme.none(), events(driver, "a")))
        .isInstanceOf(IngestException.class)
        .hasMessageContaining("set ingest.lock.mode=key or stripe");
  }
}
