package dev.ingest.app.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** By way of PgBouncer in transaction mode: each transaction may get another session (I2). */
class PgBouncerIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  /** With and without statements that the driver prepares on the server by name. */
  @ParameterizedTest
  @ValueSource(strings = {"?prepareThreshold=0", ""})
  void sessionsChangeAndEndBehindThePooler(String parameters) throws Exception {
    TestDatabase database = POSTGRES.database();
    database.execute("DROP SCHEMA IF EXISTS ingest CASCADE");
    Random random = new Random(ThreadLocalRandom.current().nextInt());
    try (PgBouncer pooler = PgBouncer.before(database);
        Trial trial =
            Trial.start(
                database,
                KAFKA.topics(),
                arguments -> arguments.with("ingest.postgres.url", pooler.url() + parameters))) {
      trial.survives(
          "10 terminated backends behind PgBouncer " + parameters,
          () -> {
            for (int i = 0; i < 10; i++) {
              List<Integer> sessions = database.sessions();
              if (!sessions.isEmpty()) {
                database.execute(
                    "SELECT pg_terminate_backend(?)",
                    sessions.get(random.nextInt(sessions.size())));
              }
              Pause.of(Duration.ofMillis(150));
            }
          });
      assertThat(trial.program().lines("no longer prepared under names").isEmpty())
          .as(trial.program().output())
          .isEqualTo(!parameters.isEmpty());
    }
  }
}
