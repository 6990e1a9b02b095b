package dev.ingest.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.pipeline.BadEvents;
import dev.ingest.pipeline.BatchLimits;
import dev.ingest.pipeline.ConsumerSettings;
import dev.ingest.pipeline.EventWriter;
import dev.ingest.plan.KeyPart;
import dev.ingest.plan.KeyReader;
import dev.ingest.plan.LockScheme;
import dev.ingest.plan.Route;
import dev.ingest.plan.Routes;
import dev.ingest.plan.ShareLimit;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RoutesIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  private static final Duration SOON = Duration.ofSeconds(30);

  private final TestDatabase database = POSTGRES.database();
  private long nextOffset;

  @BeforeEach
  void createTables() {
    database.execute("DROP SCHEMA IF EXISTS ingest CASCADE; DROP SCHEMA IF EXISTS app CASCADE");
    Schema.create(database);
    database.execute(
        """
        CREATE SCHEMA app;
        CREATE TABLE app.sale (id text PRIMARY KEY, source text, amount numeric NOT NULL);
        CREATE TABLE app.customer (name text PRIMARY KEY, first_seen timestamptz NOT NULL);
        """);
  }

  private static TargetMapping target(String table, String... columns) {
    Map<String, String> sources = new LinkedHashMap<>();
    for (int i = 0; i < columns.length; i += 2) {
      sources.put(columns[i], columns[i + 1]);
    }
    return StoreDriver.mapping(table, sources);
  }

  /** Orders and refunds become sales; an order names a customer, too. */
  private EventWriter writer() {
    Map<String, TargetMapping> targets =
        Map.of(
            "sales", target("app.sale", "id", "key", "source", "topic", "amount", "json:/amount"),
            "customers", target("app.customer", "name", "key", "first_seen", "timestamp"));
    Routes routes =
        new Routes(
            List.of(
                new Route("sales", topic -> true, KeyReader.recordKey()),
                new Route(
                    "customers",
                    "orders"::equals,
                    new KeyReader(List.of(KeyPart.json("/customer"))))));
    return new EventWriter(
        new PostgresEventStore(
            database.dataSource(),
            new StoreSettings(
                targets, Timeouts.DEFAULT, OptionalInt.empty(), 1, OptionalInt.empty())),
        new ConsumerSettings(
            BatchLimits.of(1000, 1 << 20, Duration.ZERO),
            LockScheme.perKey(),
            routes,
            BadEvents.park(),
            ShareLimit.NONE));
  }

  private Event event(String topic, String key, String json) {
    return new Event(
        new TopicPartition(topic, 0),
        nextOffset++,
        1000,
        key.getBytes(UTF_8),
        json.getBytes(UTF_8),
        List.of());
  }

  @Test
  void topicsMeetInOneTableAndOneTopicFillsTwo() {
    List<Event> events =
        List.of(
            event("orders", "o1", "{\"amount\":1.50,\"customer\":\"ann\"}"),
            event("orders", "o2", "{\"amount\":2,\"customer\":\"ann\"}"),
            event("refunds", "r1", "{\"amount\":-1.50}"),
            event("refunds", "o1", "{\"amount\":9}"));

    EventWriter.Result first = writer().write(events, SOON);
    EventWriter.Result again = writer().write(events, SOON);

    // an order counts once for each of its two routes
    assertThat(first).isEqualTo(new EventWriter.Result(4, 2, 0, 0));
    assertThat(again).isEqualTo(new EventWriter.Result(0, 6, 0, 0));
    assertThat(
            database.column(
                "SELECT id || ' ' || source || ' ' || amount FROM app.sale ORDER BY id"))
        .containsExactly("o1 orders 1.50", "o2 orders 2", "r1 refunds -1.50");
    assertThat(database.column("SELECT name FROM app.customer")).containsExactly("ann");
  }

  @Test
  void anEventIsParkedOnTheRouteThatRefusesItAndStoredOnTheOther() {
    List<Event> events =
        List.of(
            event("orders", "o1", "{\"amount\":\"much\",\"customer\":\"ann\"}"),
            event("orders", "o2", "{\"amount\":2}"),
            event("orders", "o3", "{\"customer\":null}"));

    EventWriter.Result result = writer().write(events, SOON);

    assertThat(result).isEqualTo(new EventWriter.Result(2, 0, 4, 0));
    assertThat(database.column("SELECT id FROM app.sale")).containsExactly("o2");
    assertThat(database.column("SELECT name FROM app.customer")).containsExactly("ann");
    assertThat(
            database.column(
                "SELECT record_offset || ' ' || route FROM ingest.parked ORDER BY record_offset, route"))
        .containsExactly("0 sales", "1 customers", "2 customers", "2 sales");
  }
}
