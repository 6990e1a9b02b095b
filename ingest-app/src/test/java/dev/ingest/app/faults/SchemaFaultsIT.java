package dev.ingest.app.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The target is taken away, locked or changed while the process writes to it (I8). */
class SchemaFaultsIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  private static final String PASSWORD = "schema-faults";
  private static final Duration MAX_POLL_INTERVAL = Duration.ofMillis(20_500);

  private static TestDatabase database;
  private static String role;
  private static Trial trial;

  @BeforeAll
  static void start() {
    database = POSTGRES.database();
    role = database.server().createUser(PASSWORD);
    database.execute("GRANT CREATE ON DATABASE " + database.name() + " TO " + role);
    trial =
        Trial.start(
            database,
            KAFKA.topics(),
            arguments ->
                arguments
                    .with("ingest.postgres.user", role)
                    .with("ingest.postgres.password", PASSWORD)
                    .with(
                        "ingest.kafka.max.poll.interval.ms",
                        Long.toString(MAX_POLL_INTERVAL.toMillis())));
  }

  @AfterAll
  static void stop() {
    trial.close();
  }

  @Test
  void privilegeRevokedAndGranted() throws Exception {
    trial.survives(
        "revoked privilege",
        () -> {
          database.execute("REVOKE INSERT ON ingest.event FROM " + role);
          trial.awaitTold("writing paused");
          assertThat(Meters.get(trial.program(), "/readyz")).contains("42501");
          Pause.of(Duration.ofSeconds(2));
          database.execute("GRANT INSERT ON ingest.event TO " + role);
        });
    trial.assertToldOnce("sqlstate=42501");
  }

  @Test
  void tableRenamedAwayAndBack() throws Exception {
    trial.survives(
        "missing table",
        () -> {
          database.execute("ALTER TABLE ingest.event RENAME TO gone");
          trial.awaitTold("writing paused");
          Pause.of(Duration.ofSeconds(2));
          database.execute("ALTER TABLE ingest.gone RENAME TO event");
        });
    trial.assertToldOnce("sqlstate=42P01");
  }

  @Test
  void tableLockedForLongerThanThePollInterval() throws Exception {
    trial.survives(
        "locked table",
        () -> {
          try (Connection other = database.connect();
              Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE ingest.event IN ACCESS EXCLUSIVE MODE");
            Pause.of(MAX_POLL_INTERVAL.plusSeconds(2));
          }
        });
    assertThat(trial.keptItsPartitions()).as(trial.program().output()).isTrue();
    assertThat(trial.meters().retries("55P03")).isPositive();
    assertThat(trial.told("writing paused")).singleElement().asString().contains("blocked by pid=");
  }

  @Test
  void tableChangedAgainAndAgain() throws Exception {
    trial.survives(
        "changed table",
        () -> {
          for (int i = 0; i < 5; i++) {
            database.execute("ALTER TABLE ingest.event ADD COLUMN extra integer DEFAULT 7");
            database.execute("ALTER TABLE ingest.event ALTER COLUMN topic TYPE varchar(249)");
            Pause.of(Duration.ofMillis(150));
            database.execute("ALTER TABLE ingest.event DROP COLUMN extra");
            database.execute("ALTER TABLE ingest.event ALTER COLUMN topic TYPE text");
            Pause.of(Duration.ofMillis(150));
          }
        });
  }
}
