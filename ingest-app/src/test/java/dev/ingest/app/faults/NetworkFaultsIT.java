package dev.ingest.app.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.PostgresProxy;
import dev.ingest.testkit.ProxyLink;
import dev.ingest.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A bad network between the process and PostgreSQL (I2, I6). */
class NetworkFaultsIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  private static PostgresProxy proxy;
  private static Trial trial;

  @BeforeAll
  static void start() {
    TestDatabase database = POSTGRES.database();
    proxy = PostgresProxy.to(database.server());
    trial =
        Trial.start(
            database,
            KAFKA.topics(),
            arguments ->
                arguments
                    .with("ingest.postgres.url", database.url(proxy))
                    .with("ingest.source.consumers", "1")); // whose next COMMIT is a chunk's
  }

  @AfterAll
  static void stop() {
    try (PostgresProxy ends = proxy) {
      trial.close();
    }
  }

  @Test
  void connectionsCutAgainAndAgain() throws Exception {
    trial.survives(
        "20 cut connections",
        () -> {
          for (int i = 0; i < 20; i++) {
            proxy.cut();
            Pause.of(Duration.ofMillis(100));
          }
        });
  }

  @Test
  void connectionsRefused() throws Exception {
    trial.survives(
        "refused connections",
        () -> {
          proxy.refuse();
          trial.awaitTold("writing paused");
          Pause.of(Duration.ofSeconds(2));
          proxy.accept();
        });
    trial.assertToldOnce("sqlstate=08");
  }

  @Test
  void everyPieceDelayed() throws Exception {
    trial.survives(
        "delayed network",
        () -> {
          proxy.delay(Duration.ofMillis(60));
          Pause.of(Duration.ofSeconds(3));
          proxy.delay(Duration.ZERO);
        });
    assertThat(trial.told("writing paused")).isEmpty();
  }

  /** Longer than the silence that the process bears, so that it gives its connections up. */
  @Test
  void nothingArrivesAndNothingCloses() throws Exception {
    trial.survives(
        "black hole",
        () -> {
          proxy.freeze();
          trial.awaitTold("writing paused");
          Pause.of(Duration.ofSeconds(3));
          proxy.thaw();
        });
  }

  /** The counts are exact whether the transaction is on disk or not; see the ending. */
  @Test
  void requestsAndRepliesOfCommitGoAstray() throws Exception {
    List<Consumer<Consumer<ProxyLink>>> moments =
        List.of(proxy::beforeNextCommit, proxy::afterNextCommit);
    List<Consumer<ProxyLink>> ways =
        List.of(ProxyLink::cut, ProxyLink::freeze, ProxyLink::cut, ProxyLink::cut);
    trial.survives(
        "8 lost COMMITs",
        () -> {
          for (Consumer<ProxyLink> way : ways) {
            for (Consumer<Consumer<ProxyLink>> moment : moments) {
              trial.awaitMoving(); // a new session begins with a COMMIT that stores nothing
              moment.accept(way);
              await("a COMMIT").atMost(Trial.RECOVERY).until(() -> !proxy.isArmed());
            }
          }
        });
    proxy.thaw();
  }
}
