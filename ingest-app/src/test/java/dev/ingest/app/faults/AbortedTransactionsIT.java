package dev.ingest.app.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.app.cli.Arguments;
import dev.ingest.app.cli.Command;
import dev.ingest.app.cli.Group;
import dev.ingest.app.cli.Program;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Topics that are written in Kafka transactions, some of which are aborted (I1). */
class AbortedTransactionsIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  private static final int TRANSACTIONS = 40;
  private static final int EVENTS = 25;

  @Test
  void onlyCommittedEventsAreStoredAndTheLagReachesZero(TestDatabase database, TestTopics topics)
      throws Exception {
    String topic = topics.createTopic(3);
    Arguments arguments = Arguments.of(database, topics, topic);
    try (Program run = Program.start(96, arguments.of("run"))) {
      // The last transaction is aborted too: behind the last event stand records nobody sees.
      send(topics, topic);
      new Group(topics, topic).awaitDone();

      Meters meters = Meters.of(run);
      meters.assertExact(database.count("SELECT count(*) FROM ingest.event"));
      assertThat(meters.polled()).isEqualTo(TRANSACTIONS / 2 * EVENTS);
      // Told once a second.
      await("no lag").untilAsserted(() -> assertThat(Meters.of(run).lag()).isZero());
      run.terminate();
      assertThat(run.awaitExit()).isZero();
    }

    assertThat(
            database.count("SELECT count(*) FROM ingest.event WHERE business_key LIKE 'aborted%'"))
        .isZero();
    assertThat(database.count("SELECT count(*) FROM ingest.event"))
        .isEqualTo(TRANSACTIONS / 2 * EVENTS);
    assertThat(database.count("SELECT count(*) FROM ingest.parked")).isZero();
    Command verify = Command.run(arguments.of("verify"));
    assertThat(verify.exitCode()).as(verify.out() + verify.err()).isZero();
    Sessions.assertClean(database);
    assertThat(database.deadlocks()).isZero();
  }

  private static void send(TestTopics topics, String topic) {
    try (Producer<byte[], byte[]> producer =
        topics.producer(Map.of("transactional.id", topics.uniqueName()))) {
      producer.initTransactions();
      for (int i = 0; i < TRANSACTIONS; i++) {
        boolean commits = i % 2 == 0;
        producer.beginTransaction();
        for (int j = 0; j < EVENTS; j++) {
          String key = (commits ? "committed-" : "aborted-") + i + "-" + j;
          var unused = // its failure fails the commit
              producer.send(
                  new ProducerRecord<>(topic, j % 3, key.getBytes(UTF_8), "{}".getBytes(UTF_8)));
        }
        producer.flush();
        if (commits) {
          producer.commitTransaction();
        } else {
          producer.abortTransaction();
        }
      }
    }
  }
}
