package dev.ingest.app.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.app.cli.Arguments;
import dev.ingest.app.cli.Command;
import dev.ingest.testkit.KafkaServer;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TcpProxy;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A broker that goes away, and a bad network in front of it. */
class BrokerFaultsIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private static final String WAITING =
      "SELECT count(*) FROM pg_stat_activity WHERE application_name = ? AND wait_event_type = 'Lock'";

  private static TcpProxy proxy;
  private static KafkaServer broker;
  private static TestTopics topics;
  private static Trial trial;

  @BeforeAll
  static void start() {
    proxy = TcpProxy.to(0);
    broker = KafkaServer.dedicatedBehind(proxy, Map.of());
    topics = new TestTopics(broker, "brokerfaults");
    trial = Trial.start(POSTGRES.database(), topics, arguments -> arguments);
  }

  @AfterAll
  static void stop() {
    try (TcpProxy network = proxy;
        KafkaServer server = broker;
        TestTopics client = topics) {
      trial.close();
    }
  }

  @Test
  void brokerStoppedAndStarted() throws Exception {
    trial.survives(
        "stopped broker",
        () -> {
          broker.stop();
          Pause.of(Duration.ofSeconds(2));
          broker.start();
        });
    assertThat(trial.told("writing paused")).isEmpty();
  }

  @Test
  void connectionsToTheBrokerCutAgainAndAgain() throws Exception {
    trial.survives(
        "20 cut connections to the broker",
        () -> {
          for (int i = 0; i < 20; i++) {
            proxy.cut();
            Pause.of(Duration.ofMillis(100));
          }
        });
  }

  @Test
  void nothingArrivesAtTheBrokerAndNothingCloses() throws Exception {
    trial.survives(
        "black hole before the broker",
        () -> {
          proxy.freeze();
          Pause.of(Duration.ofSeconds(6));
          proxy.thaw();
        });
  }

  @Test
  void everyPieceToAndFromTheBrokerDelayed() throws Exception {
    trial.survives(
        "delayed broker",
        () -> {
          proxy.delay(Duration.ofMillis(100));
          Pause.of(Duration.ofSeconds(3));
          proxy.delay(Duration.ZERO);
        });
  }

  /** It reads the target's columns before it asks the broker, and looks for parked events last. */
  @ParameterizedTest
  @CsvSource({"ingest.event, can't be read", "ingest.parked, -1 from offset 0 on in 2 s"})
  void verifyEndsOnceTheBrokerGivesNothingMore(String lookedUp, String told) throws Exception {
    TestDatabase database = POSTGRES.database();
    String topic = topics.createTopic(2);
    topics.send(topic, 0, "read", "{}");
    topics.send(topic, 1, "not read", "{}");
    topics.commit(topic, topic, Map.of(0, 1L, 1, 1L));
    List<String> verify =
        Arguments.of(database, topics, topic)
            .with("ingest.kafka.request.timeout.ms", "2000")
            .with("ingest.postgres.application-name", topic)
            .of("verify");
    try (Connection holder = database.connect();
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("LOCK TABLE " + lookedUp);
      CompletableFuture<Command> running = CompletableFuture.supplyAsync(() -> Command.run(verify));
      await("verify at " + lookedUp).until(() -> database.count(WAITING, topic) == 1);
      proxy.freeze();
      holder.rollback();

      Command ended = running.get(30, TimeUnit.SECONDS);
      assertThat(ended.exitCode()).isEqualTo(1);
      assertThat(ended.err()).contains(told);
    } finally {
      proxy.thaw();
    }
  }
}
