package dev.ingest.app.parked;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.event.Event;
import dev.ingest.event.Header;
import dev.ingest.event.TopicPartition;
import dev.ingest.mapping.ColumnMapping;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.mapping.TombstoneRule;
import dev.ingest.mapping.WriteRules;
import dev.ingest.pipeline.ConsumerSettings;
import dev.ingest.pipeline.EventWriter;
import dev.ingest.plan.EventReader;
import dev.ingest.plan.KeyReader;
import dev.ingest.plan.Tombstones;
import dev.ingest.postgres.PostgresEventStore;
import dev.ingest.postgres.StoreSettings;
import dev.ingest.postgres.Timeouts;
import dev.ingest.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import javax.sql.DataSource;

/**
 * Orders that refer to customers and have an amount above zero, written as the program would with
 * the settings of {@link #SETTINGS}. The key is the number of the order.
 */
public final class ParkedOrders {
  /** The same mapping as the program reads it. */
  public static final List<String> SETTINGS =
      List.of(
          "--set=ingest.source.topics=orders",
          "--set=ingest.target.table=orders",
          "--set=ingest.target.columns.id=key",
          "--set=ingest.target.columns.customer=json:/customer",
          "--set=ingest.target.columns.amount=json:/amount");

  /** Foreign keys heal: three tries, the first after 30 seconds. */
  static final HealPolicy FOREIGN_KEYS = foreignKeys(List.of());

  private ParkedOrders() {}

  /** The same where these routes delete by tombstones. */
  static HealPolicy foreignKeys(List<String> deletingRoutes) {
    return new HealPolicy(
        List.of(HealPolicy.FOREIGN_KEY),
        true,
        deletingRoutes,
        3,
        Duration.ofSeconds(30),
        Duration.ofMinutes(10));
  }

  public static void createTables(TestDatabase database) {
    database.execute("DROP TABLE IF EXISTS invoice, orders, customer");
    database.execute("CREATE TABLE customer (id text PRIMARY KEY)");
    database.execute(
        """
        CREATE TABLE orders (
          id text PRIMARY KEY,
          customer text NOT NULL CONSTRAINT orders_customer_fkey REFERENCES customer,
          amount numeric NOT NULL CONSTRAINT orders_amount_check CHECK (amount > 0))
        """);
    database.execute("TRUNCATE ingest.parked, ingest.job, ingest.job_done");
  }

  /** Tries them by {@link #writer}, whatever their route. */
  static ParkedRetry retry(TestDatabase database) {
    return new ParkedRetry(database.dataSource(), route -> writer(database.dataSource()));
  }

  /**
   * Tries all that were asked for.
   *
   * @param failures by route, filled here
   */
  static RetryTally all(ParkedRetry retry, Map<String, RuntimeException> failures)
      throws SQLException {
    RetryTally tally = RetryTally.NONE;
    RetryTally step = retry.step(failures);
    while (step.events() > 0) {
      tally = tally.plus(step);
      step = retry.step(failures);
    }
    return tally;
  }

  /**
   * Parks more orders like the one that is parked at offset 0, by a route; the offset is the key.
   * Quicker than {@link #write}, which has to find out that each is bad.
   */
  static void copy(TestDatabase database, int firstOffset, int count, String route) {
    database.execute(
        """
        INSERT INTO ingest.parked SELECT (jsonb_populate_record(p, jsonb_build_object(
          'record_offset', i, 'record_key', 'order ' || i, 'route', ?::text))).*
        FROM ingest.parked AS p, generate_series(?, ?) AS i WHERE record_offset = 0
        """,
        route,
        firstOffset,
        firstOffset + count - 1);
  }

  /** As if these seconds had gone by since each was parked. */
  static void age(TestDatabase database, int seconds) {
    database.execute(
        "UPDATE ingest.parked SET last_parked_at = last_parked_at - ? * interval '1 second'",
        seconds);
  }

  static EventWriter writer(DataSource dataSource) {
    return writer(dataSource, WriteRules.DEFAULT, KeyReader.recordKey());
  }

  /** The same with {@code ingest.tombstone=delete}. */
  static EventWriter deletingWriter(DataSource dataSource) {
    return writer(
        dataSource,
        WriteRules.DEFAULT.with(TombstoneRule.parse("delete")),
        Tombstones.deleting(KeyReader.recordKey()));
  }

  private static EventWriter writer(DataSource dataSource, WriteRules rules, EventReader reader) {
    TargetMapping mapping =
        new TargetMapping(
            "ingest.target.",
            "orders",
            List.of(),
            List.of(
                ColumnMapping.parse("id", "key"),
                ColumnMapping.parse("customer", "json:/customer"),
                ColumnMapping.parse("amount", "json:/amount")));
    StoreSettings settings =
        new StoreSettings(
            mapping.with(rules), Timeouts.DEFAULT, OptionalInt.empty(), 1, OptionalInt.empty());
    return new EventWriter(
        new PostgresEventStore(dataSource, settings), ConsumerSettings.of(reader));
  }

  /** Says that an order is gone: the next event of its partition. */
  static Event tombstone(long order) {
    return new Event(
        new TopicPartition("orders", (int) order % 3),
        order + 3,
        1_517_363_399_650L,
        ("order " + order).getBytes(UTF_8),
        null,
        List.of());
  }

  /** Writes {@code count} orders of a customer, from an offset on; the offset is the key. */
  public static EventWriter.Result write(
      TestDatabase database, long firstOffset, int count, String customer, int amount) {
    List<Event> events = new ArrayList<>();
    for (long offset = firstOffset; offset < firstOffset + count; offset++) {
      String json = "{\"customer\": \"" + customer + "\", \"amount\": " + amount + "}";
      events.add(
          new Event(
              new TopicPartition("orders", (int) offset % 3),
              offset,
              1_517_363_399_650L,
              ("order " + offset).getBytes(UTF_8),
              json.getBytes(UTF_8),
              List.of(new Header("trace", "secret trace".getBytes(UTF_8)))));
    }
    return writer(database.dataSource()).write(events, Duration.ofSeconds(30));
  }
}
