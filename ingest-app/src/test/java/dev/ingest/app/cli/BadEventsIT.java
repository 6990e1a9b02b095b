package dev.ingest.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.app.schema.Migrations;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the program does with events that can't be stored, and with those that are gone. */
class BadEventsIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  private final TestDatabase database = POSTGRES.database();
  private final TestTopics topics = KAFKA.topics();

  @BeforeAll
  static void createSchema(TestDatabase database) {
    new Migrations(database.dataSource()).migrate();
  }

  @BeforeEach
  void emptyTables() {
    database.execute("TRUNCATE ingest.event, ingest.parked, ingest.gap");
  }

  @Test
  void lettersAreInTheTopicBeforeTheOffsetMoves() {
    String topic = topics.createTopic(1);
    String dead = topics.createTopic(1);
    topics.send(topic, 0, "good", "{}");
    topics.send(topic, 0, "bad", "top secret");
    topics.send(topic, 0, null, "{}");
    Arguments arguments =
        Arguments.of(database, topics, topic)
            .with("ingest.errors.bad-event", "dead-letter")
            .with("ingest.errors.dead-letter-topic", dead);

    try (Program run = Program.start(arguments.of("run", "--no-migrate"))) {
      new Group(topics, topic).awaitDone();

      assertThat(topics.endOffsets(dead)).containsEntry(0, 2L);
      run.terminate();
      assertThat(run.awaitExit()).isZero();
      assertThat(run.output()).doesNotContain("top secret");
    }

    assertThat(database.count("SELECT count(*) FROM ingest.event")).isEqualTo(1);
    assertThat(database.count("SELECT count(*) FROM ingest.parked")).isZero();
    ConsumerRecord<byte[], byte[]> letter = first(dead);
    assertThat(letter.value()).isEqualTo("{}".getBytes(UTF_8));
    assertThat(letter.headers().lastHeader("__connect.errors.offset").value())
        .isEqualTo("2".getBytes(UTF_8));
  }

  @Test
  void aGapStopsTheProgramUntilItIsAcceptedAndThenIsOnRecord() throws Exception {
    String topic = topics.createTopic(1);
    for (int i = 0; i < 10; i++) {
      topics.send(topic, 0, "key-" + i, "{}");
    }
    topics.commit(topic, topic, Map.of(0, 2L));
    topics
        .admin()
        .deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(7)))
        .all()
        .get(30, TimeUnit.SECONDS);
    Arguments arguments = Arguments.of(database, topics, topic);

    try (Program run = Program.start(arguments.of("run", "--no-migrate"))) {
      assertThat(run.awaitExit()).isEqualTo(1);
      assertThat(run.output())
          .contains("OFFSETS_OUT_OF_RANGE")
          .contains(topic + "-0 nextOffset=2 logStart=7 logEnd=10 gone=5");
    }
    try (Program run = Program.start(arguments.of("run", "--no-migrate", "--accept-gap"))) {
      new Group(topics, topic).awaitDone();
      run.terminate();
      assertThat(run.awaitExit()).isZero();
    }

    assertThat(database.count("SELECT count(*) FROM ingest.event")).isEqualTo(3);
    assertThat(
            database.count(
                "SELECT log_start - next_offset FROM ingest.gap WHERE group_id = ?", topic))
        .isEqualTo(5);
  }

  private ConsumerRecord<byte[], byte[]> first(String topic) {
    TopicPartition partition = new TopicPartition(topic, 0);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", topics.bootstrap()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      return await("a letter")
          .atMost(Duration.ofSeconds(30))
          .until(() -> consumer.poll(Duration.ofMillis(100)).iterator(), Iterator::hasNext)
          .next();
    }
  }
}
