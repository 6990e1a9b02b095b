package dev.ingest.app.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.app.cli.Arguments;
import dev.ingest.app.cli.Group;
import dev.ingest.app.cli.Program;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TcpProxy;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A process whose servers are away when it starts says so over HTTP. */
class WaitingStartIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String OK = "\"status\":\"ok\"";

  @Test
  void aliveAndNotReadyUntilTheDatabaseIsThere(TestDatabase database, TestTopics topics)
      throws Exception {
    String topic = topics.createTopic(1);
    topics.send(topic, 0, "key", "{}");
    try (TcpProxy proxy = TcpProxy.to(database.server().port())) {
      proxy.refuse();
      Arguments arguments =
          Arguments.of(database, topics, topic).with("ingest.postgres.url", database.url(proxy));

      try (Program run = Program.start(96, arguments.of("run"))) {
        awaitAnswer(run, "/readyz", "waiting for: POSTGRES_UNAVAILABLE");
        assertThat(Meters.get(run, "/livez")).contains(OK);
        assertThat(Meters.get(run, "/metrics")).contains("ingest_paused 0.0");

        proxy.accept();
        awaitAnswer(run, "/readyz", OK);
        new Group(topics, topic).awaitDone();
        awaitAnswer(run, "/metrics", "kafka_consumer_coordinator_rebalance_total{");
        assertThat(Meters.get(run, "/metrics")).doesNotContain("{}", "kafka_consumer_fetch_size");
        run.terminate();
        assertThat(run.awaitExit()).as(run.output()).isZero();
      }
    }
  }

  @Test
  void aliveAndNotReadyWhileNoBrokerAnswers(TestDatabase database, TestTopics topics)
      throws Exception {
    try (TcpProxy nobody = TcpProxy.to(1)) {
      Arguments arguments =
          Arguments.of(database, topics, "any")
              .with("ingest.kafka.bootstrap.servers", "127.0.0.1:" + nobody.port());

      try (Program run = Program.start(96, arguments.of("run"))) {
        awaitAnswer(run, "/readyz", "waiting for: KAFKA_UNAVAILABLE");
        assertThat(Meters.get(run, "/livez")).contains(OK);
        run.terminate();
        assertThat(run.awaitExit()).as(run.output()).isZero();
      }
    }
  }

  private static void awaitAnswer(Program run, String path, String text) {
    await(path + " says " + text)
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(Meters.get(run, path)).contains(text));
  }
}
