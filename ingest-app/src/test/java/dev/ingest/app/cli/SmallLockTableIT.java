package dev.ingest.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresServer;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** I4 on the smallest lock table that PostgreSQL allows for 20 connections. */
class SmallLockTableIT {
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  private static final int EVENTS = 2000;

  @Test
  void fourConsumersWithLargeBatchesStoreEverythingAndTakeNoLockFromOthers(TestTopics topics) {
    String topic = topics.createTopic(4);
    topics.send(events(topic));
    try (PostgresServer server =
        PostgresServer.dedicated(
            Map.of("max_locks_per_transaction", "10", "max_connections", "20"))) {
      TestDatabase database = server.createDatabase();
      Arguments arguments =
          Arguments.of(database, topics, topic)
              .with("ingest.source.consumers", "4")
              .with("ingest.batch.max-events", "500");

      try (Bystander bystander = Bystander.start(database);
          Program program = Program.start(arguments.of("run"))) {
        new Group(topics, topic).awaitDone();
        program.terminate();
        assertThat(program.awaitExit(Duration.ofSeconds(30))).as(program.output()).isZero();
        assertThat(bystander.stop()).isPositive();
      }

      assertThat(database.count("SELECT count(*) FROM ingest.event")).isEqualTo(EVENTS);
      assertThat(server.log()).doesNotContain("out of shared memory"); // 53200, whoever got it
    }
  }

  private static List<ProducerRecord<byte[], byte[]>> events(String topic) {
    return IntStream.range(0, EVENTS)
        .mapToObj(
            i ->
                new ProducerRecord<>(
                    topic,
                    i % 4,
                    ("key-" + i).getBytes(UTF_8),
                    ("{\"n\":" + i + "}").getBytes(UTF_8)))
        .toList();
  }
}
