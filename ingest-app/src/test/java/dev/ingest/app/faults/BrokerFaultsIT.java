package dev.ingest.app.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.testkit.KafkaServer;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TcpProxy;
import dev.ingest.testkit.TestTopics;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A broker that goes away, and a bad network in front of it. */
class BrokerFaultsIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

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
}
