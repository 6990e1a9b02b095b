package dev.ingest.app.parked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Parked events of a route that cannot be written, beside those of another. */
class ParkedRoutesIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private static final String STORED = "SELECT count(*) FROM ingest.parked WHERE status = 'stored'";

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

  /** 600 events of a route that there is no more, and three younger ones that can be stored. */
  private static void parkOnTwoRoutes(TestDatabase database) {
    ParkedOrders.write(database, 0, 1, "late", 5);
    ParkedOrders.copy(database, 1, 600, "gone");
    database.execute("DELETE FROM ingest.parked WHERE record_offset = 0");
    ParkedOrders.age(database, 40);
    ParkedOrders.write(database, 1000, 3, "late", 5);
    ParkedOrders.age(database, 40);
    database.execute("INSERT INTO customer VALUES ('late')");
  }

  private static ParkedRetry withoutRouteGone(TestDatabase database, AtomicInteger asked) {
    return new ParkedRetry(
        database.dataSource(),
        route -> {
          if (route.equals("gone")) {
            asked.incrementAndGet();
            throw new IllegalStateException("no route " + route);
          }
          return ParkedOrders.writer(database.dataSource());
        });
  }

  @Test
  void aRouteThatCannotBeWrittenHoldsNoOtherUp(TestDatabase database) throws SQLException {
    parkOnTwoRoutes(database);
    retry.ask(ParkedFilter.all());
    AtomicInteger asked = new AtomicInteger();
    Map<String, RuntimeException> failures = new TreeMap<>();

    RetryTally tally = ParkedOrders.all(withoutRouteGone(database, asked), failures);

    assertThat(tally).isEqualTo(new RetryTally(3, 0, 0, 600));
    assertThat(failures).containsOnlyKeys("gone");
    assertThat(asked).as("left alone by the second step").hasValue(1);
    assertThat(database.count(STORED)).isEqualTo(3);
    assertThat(database.count("SELECT count(*) FROM ingest.job")).isEqualTo(600);
    assertThat(database.count("SELECT max(attempts) FROM ingest.job")).isZero();

    assertThat(all()).as("the kept ones are not due").isEqualTo(RetryTally.NONE);
    assertThat(retry.ask(ParkedFilter.all())).as("asked for before").isZero();
    assertThat(all().stored()).as("who asks need not wait").isEqualTo(600);
  }

  @Test
  void theHealerAsksForTheOthersToo(TestDatabase database) throws SQLException {
    parkOnTwoRoutes(database);

    assertThat(retry.ask(ParkedOrders.FOREIGN_KEYS)).as("the oldest").isEqualTo(500);
    ParkedOrders.all(withoutRouteGone(database, new AtomicInteger()), new TreeMap<>());
    assertThat(retry.ask(ParkedOrders.FOREIGN_KEYS)).as("the others").isEqualTo(103);
    assertThat(retry.ask(ParkedOrders.FOREIGN_KEYS)).isZero();

    assertThat(all()).isEqualTo(new RetryTally(103, 0, 0, 0));
  }

  @Test
  void theHealerGoesOnPastARouteThatCannotBeWritten(TestDatabase database) throws SQLException {
    parkOnTwoRoutes(database);
    retry.ask(ParkedFilter.all());
    AtomicInteger asked = new AtomicInteger();

    try (ParkedHealer healer =
        new ParkedHealer(withoutRouteGone(database, asked), ParkedOrders.FOREIGN_KEYS)) {
      healer.start();
      await().atMost(Duration.ofSeconds(30)).until(() -> database.count(STORED) == 3);
    }

    assertThat(asked).as("in one round").hasValue(1);
  }
}
