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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

  private ParkedOrders() {}

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

  public static EventWriter writer(DataSource dataSource) {
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
