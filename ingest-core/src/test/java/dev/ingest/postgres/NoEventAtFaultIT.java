package dev.ingest.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ingest.event.IngestException;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.pipeline.WriteOutcome;
import dev.ingest.plan.Batch;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.KeyReader;
import dev.ingest.plan.LockScheme;
import dev.ingest.testkit.EventLine;
import dev.ingest.testkit.PostgresServer;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Faults that look like an event's and are not. */
class NoEventAtFaultIT {
  private final TestDatabase database = PostgresServer.shared().createDatabase();
  private final EventLine line = EventLine.on("orders", 0);

  @BeforeEach
  void createSchema() {
    Schema.create(database);
  }

  @AfterEach
  void drop() {
    database.server().dropDatabase(database);
  }

  @Test
  void aParkedTableThatRefusesEventsIsTheEnvironmentsFault() {
    database.execute("ALTER TABLE ingest.parked ADD CONSTRAINT full_up CHECK (partition > 0)");
    PostgresEventStore store = store(database.dataSource(), Timeouts.DEFAULT);
    Chunk chunk = chunk(store, List.of("good", "bad"));
    WriteOutcome.Rejected rejected = (WriteOutcome.Rejected) store.write(chunk);
    Chunk parking = chunk.parking(rejected.events());

    StoreFault fault = catchThrowableOfType(StoreFault.class, () -> store.write(parking));

    assertThat(fault.kind()).isEqualTo(FaultKind.ENVIRONMENT);
    assertThat(fault.sqlState()).isEqualTo("23514");
    assertThat(fault).hasMessageContaining("full_up").hasMessageNotContaining("bad");
    assertThat(database.count("SELECT count(*) FROM ingest.event")).isZero();
    database.execute("ALTER TABLE ingest.parked DROP CONSTRAINT full_up");
    assertThat(store.write(parking)).isInstanceOf(WriteOutcome.Applied.class);
  }

  @Test
  void aSettingThatTheServerRefusesIsNotSearchedForInEvents() {
    Duration year = Duration.ofDays(365);
    Timeouts absurd =
        new Timeouts(Duration.ofMillis(500), Duration.ofSeconds(1), year, Duration.ofSeconds(2));
    CountingDataSource counting = new CountingDataSource(database.dataSource());
    PostgresEventStore store = store(counting.dataSource(), absurd);
    Chunk chunk = chunk(store, List.of("a", "b", "c", "d"));
    counting.take();

    StoreFault fault = catchThrowableOfType(StoreFault.class, () -> store.write(chunk));

    assertThat(fault.kind()).isEqualTo(FaultKind.ENVIRONMENT);
    assertThat(fault.sqlState()).isEqualTo("22023");
    // refused, asked for unreadable values, tried without any event
    assertThat(counting.take()).isEqualTo(3);
  }

  @Test
  void aTriggerThatRefusesEveryRowDoesNotCauseASearchWithoutEnd() {
    database.execute(
        """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'no %', new.business_key; END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON ingest.event
          FOR EACH ROW EXECUTE FUNCTION refuse()""");
    PostgresEventStore store = store(database.dataSource(), Timeouts.DEFAULT);
    Chunk chunk = chunk(store, IntStream.range(0, 200).mapToObj(i -> "key-" + i).toList());

    WriteOutcome.Rejected rejected = (WriteOutcome.Rejected) store.write(chunk);

    assertThat(rejected.events()).hasSize(32);
    assertThat(rejected.events())
        .allSatisfy(each -> assertThat(each.reason()).doesNotContain("key-"));
  }

  @Test
  void aRowThatNoPartitionTakesSaysSo() {
    database.execute(
        """
        CREATE TABLE reading (id text, at timestamptz) PARTITION BY RANGE (at);
        CREATE TABLE reading_2000 PARTITION OF reading
          FOR VALUES FROM ('2000-01-01') TO ('2001-01-01');
        ALTER TABLE reading_2000 ADD PRIMARY KEY (id);
        ALTER TABLE reading ADD UNIQUE (id, at)""");
    TargetMapping mapping =
        new TargetMapping(
            "ingest.target.",
            "reading",
            List.of("id", "at"),
            StoreDriver.mapping("reading", Map.of("id", "key", "at", "timestamp")).columns());
    StoreDriver driver = new StoreDriver(database.dataSource(), mapping);

    StoreDriver.Sums sums = driver.write(List.of(driver.event("a", "{}")));

    assertThat(sums.parked())
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.sqlState()).isEqualTo("23514");
              assertThat(each.reason()).isEqualTo("no partition takes the row, table=reading");
            });
  }

  @Test
  void aBudgetThatTheServerHasNoRoomForIsAWrongSetting() {
    StoreSettings settings =
        new StoreSettings(
            TargetMapping.event(),
            Timeouts.DEFAULT,
            OptionalInt.of(1_000_000),
            1,
            OptionalInt.empty());
    PostgresEventStore store = new PostgresEventStore(database.dataSource(), settings);

    IngestException refused = catchThrowableOfType(IngestException.class, store::budget);

    assertThat(refused.code()).isEqualTo(IngestException.Code.CONFIG_INVALID);
    assertThat(refused).hasMessageContaining("ingest.lock.budget=1000000");
  }

  private static PostgresEventStore store(DataSource database, Timeouts timeouts) {
    return new PostgresEventStore(
        database,
        new StoreSettings(
            TargetMapping.event(), timeouts, OptionalInt.empty(), 1, OptionalInt.empty()));
  }

  /** Keys that begin with "bad" have a payload that is no JSON. */
  private Chunk chunk(PostgresEventStore store, List<String> keys) {
    Batch batch =
        Batch.of(
            keys.stream()
                .map(key -> key.startsWith("bad") ? line.bad(key) : line.event(key, "{}"))
                .toList(),
            LockScheme.perKey(),
            KeyReader.recordKey(),
            store);
    return batch.head();
  }
}
