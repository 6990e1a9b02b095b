package dev.ingest.app.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresServer;
import dev.ingest.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Faults of a PostgreSQL server of its own, all of which one process lives through (I1, I8). */
class ServerFaultsIT {
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  private static PostgresServer server;
  private static TestDatabase database;
  private static Trial trial;

  @BeforeAll
  static void start() {
    server = PostgresServer.dedicated(Map.of("max_connections", "20"));
    database = server.createDatabase();
    trial = Trial.start(database, KAFKA.topics(), arguments -> arguments);
  }

  @AfterAll
  static void stop() {
    try (PostgresServer ends = server) {
      trial.close();
      assertThat(ends.log()).doesNotContain("deadlock detected");
    }
  }

  @Test
  void sigkillOfTheServerTwiceUnderLoad() throws Exception {
    for (int i = 0; i < 2; i++) {
      trial.survives(
          "SIGKILL of the server",
          () -> {
            server.kill9();
            trial.awaitTold("writing paused");
            server.start();
          });
      trial.assertToldOnce("sqlstate=");
    }
  }

  @Test
  void backendsTerminatedAgainAndAgain() throws Exception {
    long seed = ThreadLocalRandom.current().nextLong();
    System.out.println("seed=" + seed);
    Random random = new Random(seed);
    trial.survives(
        "25 terminated backends",
        () -> {
          for (int i = 0; i < 25; i++) {
            List<Integer> sessions = database.sessions();
            if (!sessions.isEmpty()) {
              database.execute(
                  "SELECT pg_terminate_backend(?)", sessions.get(random.nextInt(sessions.size())));
            }
            Pause.of(Duration.ofMillis(100));
          }
        });
  }

  @Test
  void noConnectionLeft() throws Exception {
    trial.survives(
        "no connection left",
        () -> {
          try (AllConnections all = AllConnections.of(database)) {
            while (trial.told("sqlstate=53300").isEmpty()) {
              all.takeWhatIsFree();
            }
            Pause.of(Duration.ofSeconds(3));
          }
        });
    trial.assertToldOnce("sqlstate=");
  }

  @Test
  void serverReadOnlyForAWhile() throws Exception {
    TestDatabase maintenance = server.maintenance();
    trial.survives(
        "read-only server",
        () -> {
          maintenance.execute("ALTER SYSTEM SET default_transaction_read_only = on");
          maintenance.execute("SELECT pg_reload_conf()");
          trial.awaitTold("writing paused");
          Pause.of(Duration.ofSeconds(2));
          maintenance.execute("ALTER SYSTEM RESET default_transaction_read_only");
          maintenance.execute("SELECT pg_reload_conf()");
        });
    trial.assertToldOnce("sqlstate=25006");
  }

  /** Such a session stays read-only for ever: only a pool that lets go of it recovers. */
  @Test
  void sessionsThatAreReadOnlyFromTheirBeginning() throws Exception {
    TestDatabase maintenance = server.maintenance();
    String alter = "ALTER DATABASE " + database.name();
    trial.survives(
        "read-only sessions",
        () -> {
          maintenance.execute(alter + " SET default_transaction_read_only = on");
          database.sessions().forEach(this::terminate);
          trial.awaitTold("sqlstate=25006");
          Pause.of(Duration.ofSeconds(2));
          maintenance.execute(alter + " RESET default_transaction_read_only");
        });
  }

  @Test
  void diskFull() throws Exception {
    try (FullDisk disk = FullDisk.under(server, database, "ingest.event")) {
      trial.survives(
          "full disk",
          () -> {
            disk.fill();
            trial.awaitTold("sqlstate=53100");
            Pause.of(Duration.ofSeconds(3));
            disk.free();
          });
      assertThat(trial.told("writing paused")).allMatch(line -> line.contains("sqlstate=53100"));
    }
  }

  private void terminate(int session) {
    server.maintenance().execute("SELECT pg_terminate_backend(?)", session);
  }
}
