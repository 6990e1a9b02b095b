package dev.ingest.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ingest.app.parked.ParkedOrders;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ParkedCommandIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String FIRST_REASONS =
      "SELECT first_sqlstate || first_reason || first_parked_at FROM ingest.parked"
          + " ORDER BY topic, partition, record_offset";

  @BeforeAll
  static void createSchema(TestDatabase database) {
    Schema.create(database);
  }

  /** Five orders wait for their customer, two have an impossible amount. */
  @BeforeEach
  void parkSome(TestDatabase database) {
    ParkedOrders.createTables(database);
    ParkedOrders.write(database, 0, 5, "secret customer", 5);
    ParkedOrders.write(database, 10, 2, "secret customer", -5);
  }

  private static CommandLineCall parked(TestDatabase database, String... arguments) {
    List<String> all = new ArrayList<>(List.of("parked"));
    all.addAll(List.of(arguments));
    return CommandLineCall.of(database, all.toArray(String[]::new));
  }

  private static CommandLineCall retry(TestDatabase database, String... arguments) {
    List<String> all = new ArrayList<>(List.of("retry"));
    all.addAll(List.of(arguments));
    all.addAll(ParkedOrders.SETTINGS);
    return parked(database, all.toArray(String[]::new));
  }

  @Test
  void theListIsGroupedByCauseAndHoldsNoPayload(TestDatabase database) {
    CommandLineCall call = parked(database, "list");

    assertThat(call.exitCode()).isZero();
    assertThat(call.out().lines().skip(1).limit(2))
        .satisfiesExactly(
            line -> assertThat(line).contains("5", "parked", "23503", "orders_customer_fkey"),
            line -> assertThat(line).contains("2", "parked", "23514", "orders_amount_check"));
    assertThat(call.out()).contains("7 events, 2 causes").doesNotContain("secret", "order 1");
  }

  @Test
  void scriptsReadTheListAsJson(TestDatabase database) throws Exception {
    CommandLineCall call = parked(database, "list", "--json", "--sqlstate=23514");

    JsonNode list = new JsonMapper().readTree(call.out());
    assertThat(list).hasSize(1);
    assertThat(list.at("/0/events").intValue()).isEqualTo(2);
    assertThat(list.at("/0/constraint").textValue()).isEqualTo("orders_amount_check");
  }

  @Test
  void payloadIsShownOnlyWhenAskedFor(TestDatabase database) {
    String[] one = {"show", "--topic=orders", "--partition=1", "--offset=10"};

    assertThat(parked(database, one).out())
        .contains("firstReason", "orders_amount_check", "offset        10")
        .doesNotContain("secret", "order 10");
    assertThat(parked(database, "show", "--offset=10", "--payload").out())
        .contains("order 10", "secret customer", "secret trace");
  }

  @Test
  void aDryRunChangesNothing(TestDatabase database) {
    CommandLineCall call = retry(database, "--dry-run", "--sqlstate=23503");

    assertThat(call.exitCode()).isZero();
    assertThat(call.out()).contains("5 events, 1 causes", "Nothing was done.");
    assertThat(database.count("SELECT count(*) FROM ingest.job")).isZero();
  }

  @Test
  void eventsAreTriedAgainAndTheExitCodeTellsOfThoseThatStay(TestDatabase database) {
    database.execute("INSERT INTO customer VALUES ('secret customer')");

    CommandLineCall call = retry(database, "--json");

    assertThat(call.exitCode()).isEqualTo(Main.FOUND_PROBLEMS);
    assertThat(call.out())
        .isEqualToIgnoringNewLines(
            "{\"asked\":7,\"tried\":7,\"stored\":5,\"parkedAgain\":2,\"passedOver\":0,\"kept\":0}");
    assertThat(retry(database, "--sqlstate=23503").exitCode()).isZero();
    assertThat(database.count("SELECT count(*) FROM orders")).isEqualTo(5);
  }

  @Test
  void eventsThatWereTriedTooOftenAreLeftAlone(TestDatabase database) {
    assertThat(retry(database, "--max-attempts=2").out()).startsWith("Tried 7 events");
    assertThat(retry(database, "--max-attempts=2").out()).startsWith("Tried 0 events");
  }

  @Test
  void everythingIsDiscardedOnlyWhenThatIsSaid(TestDatabase database) {
    assertThat(parked(database, "discard").exitCode()).isEqualTo(Main.WRONG_USAGE);
    assertThat(parked(database, "discard", "--sqlstate=23514", "--dry-run").out())
        .contains("2 events", "Nothing was done.");
    assertThat(parked(database, "discard", "--sqlstate=23514", "--dry-run", "--json").out())
        .startsWith("[ {")
        .contains("\"events\" : 2");

    assertThat(parked(database, "discard", "--sqlstate=23514", "--erase").out())
        .startsWith("Discarded 2 events");
    assertThat(parked(database, "discard", "--all").out()).startsWith("Discarded 5 events");

    String kept = "SELECT count(*) FROM ingest.parked WHERE record_value IS NOT NULL";
    assertThat(database.count(kept)).isEqualTo(5);
    assertThat(parked(database, "list").out()).contains("No such event is parked.");
    assertThat(parked(database, "list", "--status=discarded").out()).contains("7 events");
  }

  @Test
  void agesAreMomentsToo(TestDatabase database) {
    database.execute(
        "UPDATE ingest.parked SET last_parked_at = now() - interval '3 h' WHERE last_sqlstate = '23514'");

    assertThat(parked(database, "list", "--since=2h").out()).contains("5 events, 1 causes");
    assertThat(parked(database, "list", "--until=2h").out()).contains("2 events, 1 causes");
    assertThat(parked(database, "list", "--since=yesterday").exitCode())
        .isEqualTo(Main.WRONG_USAGE);
  }

  @Test
  void anUnknownRouteIsNamed(TestDatabase database) {
    database.execute("UPDATE ingest.parked SET route = 'gone'");

    CommandLineCall call = retry(database);

    assertThat(call.exitCode()).isEqualTo(Main.WRONG_USAGE);
    assertThat(call.out()).contains("route gone").contains("ingest.routes.gone");
    assertThat(database.count("SELECT count(*) FROM ingest.job WHERE status = 'waiting'"))
        .as("asked for, and still there")
        .isEqualTo(7);
  }

  @Test
  void aRouteThatIsGoneEndsNoRetryOfAnother(TestDatabase database) {
    String route =
        String.valueOf(database.column("SELECT DISTINCT route FROM ingest.parked").get(0));
    database.execute("UPDATE ingest.parked SET route = 'gone'");
    ParkedOrders.write(database, 20, 3, "known", 5);
    database.execute("INSERT INTO customer VALUES ('known')");
    retry(database, "--route=gone", "--ask-only");

    CommandLineCall call = retry(database, "--route=" + route);

    assertThat(call.out())
        .startsWith("Tried 10 events: 3 stored")
        .contains(", 7 kept")
        .doesNotContain("route gone");
    assertThat(call.exitCode()).isEqualTo(Main.FOUND_PROBLEMS);
    assertThat(retry(database).out())
        .as("the tally first")
        .startsWith("Tried 7 events: 0 stored")
        .contains("route gone");
  }

  /** 1,200 orders that heal and 100 that don't; another session holds up one of the last step. */
  @Test
  void aRetryThatIsKilledAndRunAgainStoresEachEventOnceAndLosesNone(TestDatabase database)
      throws SQLException {
    ParkedOrders.createTables(database);
    ParkedOrders.write(database, 0, 600, "late", 5);
    ParkedOrders.write(database, 600, 100, "late", 50);
    ParkedOrders.write(database, 700, 600, "late", 5);
    List<Object> before = database.column(FIRST_REASONS);
    database.execute("ALTER TABLE orders ADD CONSTRAINT small CHECK (amount < 10) NOT VALID");
    database.execute("INSERT INTO customer VALUES ('late')");

    try (Connection other = database.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("INSERT INTO orders VALUES ('order 998', 'late', 1)");
      try (Program program = Program.start(retryOf(database))) {
        await("the retry to stand still").atMost(PATIENCE).until(() -> waits(database));
        program.kill();
      }
      other.rollback();
    }
    long stored = database.count("SELECT count(*) FROM ingest.parked WHERE status = 'stored'");
    CommandLineCall again = retry(database);

    assertThat(stored).as("before the kill").isBetween(800L, 1000L);
    assertThat(again.exitCode()).isEqualTo(Main.FOUND_PROBLEMS);
    assertThat(again.out()).contains((1200 - stored) + " stored, 100 parked again, 0 passed over");
    assertThat(database.count("SELECT count(*) FROM ingest.parked WHERE status = 'stored'"))
        .isEqualTo(1200);
    assertThat(database.count("SELECT count(*) FROM orders WHERE amount = 5")).isEqualTo(1200);
    assertThat(database.count("SELECT count(*) FROM orders")).isEqualTo(1200);
    assertThat(database.column(FIRST_REASONS)).isEqualTo(before).hasSize(1300);
    assertThat(
            database.count(
                "SELECT count(*) FROM ingest.parked WHERE constraint_name = 'small' AND first_sqlstate = '23503'"))
        .isEqualTo(100);
    assertThat(database.count("SELECT count(*) FROM ingest.job")).isZero();
  }

  private static List<String> retryOf(TestDatabase database) {
    List<String> all = new ArrayList<>(List.of("parked", "retry"));
    all.addAll(ParkedOrders.SETTINGS);
    return List.of(CommandLineCall.on(database, all.toArray(String[]::new)));
  }

  private static boolean waits(TestDatabase database) {
    return database.count(
            """
            SELECT count(*) FROM pg_locks AS l JOIN pg_stat_activity AS a USING (pid)
            WHERE NOT l.granted AND l.locktype = 'transactionid' AND a.datname = current_database()
            """)
        > 0;
  }
}
