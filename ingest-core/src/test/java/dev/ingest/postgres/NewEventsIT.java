package dev.ingest.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ingest.event.Event;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.pipeline.BadEvents;
import dev.ingest.pipeline.BatchLimits;
import dev.ingest.pipeline.ConsumerSettings;
import dev.ingest.pipeline.EventWriter;
import dev.ingest.plan.KeyGroup;
import dev.ingest.plan.KeyReader;
import dev.ingest.plan.LockScheme;
import dev.ingest.plan.Route;
import dev.ingest.testkit.Events;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.PostgresProxy;
import dev.ingest.testkit.ProxyLink;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What commits with new events: one row of {@code told} for each row of the target, no other. */
class NewEventsIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final OptionalInt AUTO = OptionalInt.empty();

  private final TestDatabase database = POSTGRES.database();
  private final Events events = Events.of("orders", 0);

  @BeforeEach
  void createTables() {
    database.execute("DROP SCHEMA IF EXISTS ingest CASCADE; DROP SCHEMA IF EXISTS app CASCADE");
    Schema.create(database);
    database.execute(
        "CREATE SCHEMA app; CREATE TABLE app.told (event_key text, record_offset bigint)");
  }

  /** Writes what it is told of, in the same transaction. */
  static final class Told implements NewEvents {
    @Override
    public List<String> tables(String route) {
      return List.of("app.told");
    }

    @Override
    public void stored(Connection connection, String route, List<KeyGroup> groups)
        throws SQLException {
      try (PreparedStatement statement =
          connection.prepareStatement("INSERT INTO app.told VALUES (?, ?)")) {
        for (KeyGroup group : groups) {
          statement.setString(1, group.key().value());
          statement.setLong(2, group.first().offset());
          statement.addBatch();
        }
        statement.executeBatch();
      }
    }
  }

  private EventWriter writer(DataSource source, TargetMapping mapping, OptionalInt budget) {
    return writer(source, mapping, budget, new Told());
  }

  static EventWriter writer(
      DataSource source, TargetMapping mapping, OptionalInt budget, NewEvents newEvents) {
    return new EventWriter(
        new PostgresEventStore(
            source,
            new StoreSettings(mapping, Timeouts.DEFAULT, budget, 1, OptionalInt.empty()),
            newEvents),
        new ConsumerSettings(
            BatchLimits.of(1000, 1 << 20, Duration.ZERO),
            LockScheme.perKey(),
            KeyReader.recordKey(),
            BadEvents.park()));
  }

  private static TargetMapping table(String name, String... columns) {
    Map<String, String> sources = new LinkedHashMap<>();
    for (int i = 0; i < columns.length; i += 2) {
      sources.put(columns[i], columns[i + 1]);
    }
    return StoreDriver.mapping(name, sources);
  }

  private List<Object> told() {
    return List.copyOf(
        database.column(
            "SELECT event_key || '@' || record_offset FROM app.told ORDER BY record_offset"));
  }

  private void assertToldOfEveryRowOnce() {
    String mismatches =
        """
        SELECT count(*) FROM (SELECT business_key, record_offset FROM ingest.event) AS e
        FULL JOIN app.told AS t ON t.event_key = e.business_key AND t.record_offset = e.record_offset
        WHERE e.business_key IS NULL OR t.event_key IS NULL
        """;
    assertThat(database.count(mismatches)).isZero();
    assertThat(database.count("SELECT count(*) FROM app.told"))
        .isEqualTo(database.count("SELECT count(*) FROM ingest.event"));
  }

  @Test
  void onlyEventsWhoseRowIsNewAreTold() {
    EventWriter writer = writer(database.dataSource(), TargetMapping.event(), AUTO);

    writer.write(events.keys("a", "b", "a"), SOON);
    assertThat(told()).containsExactly("a@0", "b@1");

    EventWriter.Result again = writer.write(events.keys("b", "c", "a"), SOON);
    assertThat(again).isEqualTo(new EventWriter.Result(1, 2, 0, 0));
    assertThat(told()).containsExactly("a@0", "b@1", "c@4");
  }

  @Test
  void keysThatAreOneKeyToTheirColumnAreToldOnce() {
    database.execute(
        "CREATE TABLE app.t (n integer, at timestamp(0), o bigint, PRIMARY KEY (n, at))");
    TargetMapping mapping =
        new TargetMapping(
            "ingest.target.",
            "app.t",
            List.of("n", "at"),
            table("app.t", "n", "key", "at", "json:/at", "o", "offset").columns());
    List<Event> same = new ArrayList<>();
    for (String key : List.of("1", "01", "1 ", "001", " 01", "2", "02")) {
      same.add(events.event(key, "{\"at\": \"2020-01-01T00:00:00\"}"));
      same.add(events.event(key + "  ", "{\"at\": \"2020-01-01T00:00:01.0\"}"));
    }

    EventWriter.Result result = writer(database.dataSource(), mapping, AUTO).write(same, SOON);

    assertThat(result.inserted()).isEqualTo(4);
    assertThat(database.column("SELECT record_offset FROM app.told ORDER BY 1"))
        .isEqualTo(database.column("SELECT o FROM app.t ORDER BY 1"))
        .hasSize(4);
  }

  @Test
  void badEventsFoundBySearchAndTheRetriesForThemTellNothingTwice() {
    database.execute(
        "CREATE TABLE app.t (id text PRIMARY KEY, amount integer CONSTRAINT up CHECK (amount > 0))");
    TargetMapping mapping = table("app.t", "id", "key", "amount", "json:/amount");
    List<Event> all = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      all.add(events.event("k" + i, "{\"amount\": " + (i % 97 == 0 ? -1 : i) + "}"));
    }

    EventWriter.Result result = writer(database.dataSource(), mapping, AUTO).write(all, SOON);

    assertThat(result).isEqualTo(new EventWriter.Result(296, 0, 4, 0));
    assertThat(database.count("SELECT count(*) FROM app.told JOIN app.t ON id = event_key"))
        .isEqualTo(296);
    assertThat(database.count("SELECT count(*) FROM app.told")).isEqualTo(296);
  }

  @Test
  void lostRepliesToCommitTellNothingTwiceAndForgetNothing() {
    long seed = ThreadLocalRandom.current().nextLong();
    SplittableRandom random = new SplittableRandom(seed);
    try (PostgresProxy proxy = PostgresProxy.to(database.server())) {
      EventWriter writer = writer(database.dataSource(proxy), TargetMapping.event(), AUTO);
      for (int round = 0; round < 12; round++) {
        if (random.nextBoolean()) {
          proxy.afterNextCommit(ProxyLink::cut);
        } else {
          proxy.beforeNextCommit(ProxyLink::cut);
        }
        List<String> keys =
            random.ints(20, 0, 60).mapToObj(i -> "k" + i).toList(); // some there, some twice
        writer.write(events.keys(keys), SOON);
      }
    }

    assertThat(database.count("SELECT count(*) FROM ingest.event"))
        .as("seed %d", seed)
        .isPositive();
    assertToldOfEveryRowOnce();
  }

  @Test
  void twoWritersOfTheSameKeysInSmallChunksTellEachOnce() {
    List<Event> one = Events.of("orders", 0).keys(keys(0, 400));
    List<Event> other = Events.of("orders", 1).keys(keys(200, 600));

    CompletableFuture<EventWriter.Result> background =
        CompletableFuture.supplyAsync(
            () ->
                writer(database.dataSource(), TargetMapping.event(), OptionalInt.of(20))
                    .write(one, SOON));
    EventWriter.Result result =
        writer(database.dataSource(), TargetMapping.event(), OptionalInt.of(20)).write(other, SOON);

    assertThat(result.inserted() + background.join().inserted()).isEqualTo(600);
    assertThat(database.count("SELECT count(DISTINCT event_key) FROM app.told")).isEqualTo(600);
    assertThat(database.count("SELECT count(*) FROM app.told")).isEqualTo(600);
  }

  static List<String> keys(int from, int to) {
    List<String> keys = new ArrayList<>();
    for (int i = from; i < to; i++) {
      keys.add("k" + i);
    }
    return keys;
  }

  @Test
  void aListenerThatFailsLeavesNoRowAndBlamesNoEvent() {
    database.execute("ALTER TABLE app.told ADD CONSTRAINT never CHECK (event_key <> 'bad')");
    EventWriter writer = writer(database.dataSource(), TargetMapping.event(), AUTO);
    List<Event> three = events.keys("a", "bad", "c");

    assertThatThrownBy(() -> writer.write(three, SHORT)).hasMessageContaining("not stored in time");
    assertThat(database.count("SELECT count(*) FROM ingest.event")).isZero();
    assertThat(database.count("SELECT count(*) FROM ingest.parked")).isZero();

    database.execute("ALTER TABLE app.told DROP CONSTRAINT never");
    assertThat(writer.write(three, SOON).inserted()).isEqualTo(3);
    assertToldOfEveryRowOnce();
  }

  @Test
  void aTriggerThatChangesKeysIsAFaultOfTheEnvironment() {
    database.execute(
        """
        CREATE FUNCTION app.upper_key() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN NEW.business_key := upper(NEW.business_key); RETURN NEW; END $$;
        CREATE TRIGGER upper_key BEFORE INSERT ON ingest.event
        FOR EACH ROW EXECUTE FUNCTION app.upper_key();
        """);
    EventWriter writer = writer(database.dataSource(), TargetMapping.event(), AUTO);

    assertThatThrownBy(() -> writer.write(events.keys("a"), SHORT))
        .hasMessageContaining("not stored in time");

    assertThat(database.count("SELECT count(*) FROM ingest.event")).isZero();
  }

  @Test
  void routesWithoutTablesAreNotTold() {
    NewEvents none =
        new NewEvents() {
          @Override
          public List<String> tables(String route) {
            assertThat(route).isEqualTo(Route.DEFAULT);
            return List.of();
          }

          @Override
          public void stored(Connection connection, String route, List<KeyGroup> groups) {
            throw new AssertionError(
                new String(groups.get(0).key().value().getBytes(UTF_8), UTF_8));
          }
        };

    assertThat(
            writer(database.dataSource(), TargetMapping.event(), AUTO, none)
                .write(events.keys("a"), SOON)
                .inserted())
        .isEqualTo(1);
  }
}
