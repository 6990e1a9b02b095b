package dev.ingest.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ingest.app.config.Concern;
import dev.ingest.app.config.Config;
import dev.ingest.app.config.SettingSources;
import dev.ingest.app.run.IngestProcess;
import dev.ingest.pipeline.IngestEvents;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.sql.Connection;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Fifty events of two partitions: 49 stored, the last of partition 1 parked. */
class VerifyIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  private static final String WAITING =
      "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'ingest.parked'::regclass";

  private static Arguments arguments;

  @BeforeAll
  static void ingest(TestDatabase database, TestTopics topics) {
    Schema.create(database);
    String topic = topics.createTopic(2);
    topics.send(
        IntStream.range(0, 50)
            .mapToObj(
                i ->
                    new ProducerRecord<>(
                        topic,
                        i % 2,
                        ("key-" + i).getBytes(UTF_8),
                        (i == 49 ? "no json" : "{}").getBytes(UTF_8)))
            .toList());
    arguments = Arguments.of(database, topics, topic);
    try (IngestProcess process = IngestProcess.create(config(), IngestEvents.NONE)) {
      process.start();
      new Group(topics, topic).awaitMembers(1);
      new Group(topics, topic).awaitDone();
    }
    database.execute("CREATE TABLE ingested AS TABLE ingest.event");
  }

  private static Config config() {
    return Config.load(
        SettingSources.only(
            arguments.settings().entrySet().stream()
                .map(setting -> setting.getKey() + "=" + setting.getValue())
                .toList()),
        EnumSet.allOf(Concern.class));
  }

  @AfterEach
  void restore(TestDatabase database) {
    database.execute("TRUNCATE ingest.event");
    database.execute("INSERT INTO ingest.event TABLE ingested");
  }

  @Test
  void parkedEventIsAccountedFor() {
    Command verify = Command.run(arguments.of("verify"));

    assertThat(verify.exitCode()).as(verify.out() + verify.err()).isZero();
    assertThat(verify.out())
        .containsPattern("-0 +0 +25 +25 +25 +0 +0 +0 +0 +0\n")
        .containsPattern("-1 +0 +25 +25 +24 +1 +0 +0 +0 +0\n")
        .endsWith("Every offset is accounted for; no key is stored twice.\n");
  }

  @Test
  void parkedEventThatIsGoneIsMissing(TestDatabase database) {
    database.execute("ALTER TABLE ingest.parked RENAME TO hidden");
    database.execute("CREATE TABLE ingest.parked AS TABLE ingest.hidden WITH NO DATA");
    try {
      JsonNode report = reportOfProblems();

      assertThat(report.get("missing").asLong()).isEqualTo(1);
      assertThat(counts(report, 1).get("missingOffsets")).singleElement().hasToString("24");
    } finally {
      database.execute("DROP TABLE ingest.parked");
      database.execute("ALTER TABLE ingest.hidden RENAME TO parked");
    }
  }

  @Test
  void deletedRowIsMissing(TestDatabase database) {
    database.execute("DELETE FROM ingest.event WHERE business_key = 'key-6'");

    JsonNode report = reportOfProblems();

    assertThat(report.get("missing").asLong()).isEqualTo(1);
    assertThat(counts(report, 0).get("stored").asLong()).isEqualTo(24);
    assertThat(counts(report, 0).get("missingOffsets")).singleElement().hasToString("3");
    assertThat(counts(report, 1).get("missing").asLong()).isZero();
  }

  @Test
  void keyThatIsStoredTwiceIsFound(TestDatabase database) {
    database.execute("ALTER TABLE ingest.event DROP CONSTRAINT event_pkey");
    database.execute(
        "INSERT INTO ingest.event SELECT * FROM ingested WHERE business_key IN ('key-1', 'key-2')");
    try {
      JsonNode report = reportOfProblems();

      assertThat(report.get("keysTwice").asLong()).isEqualTo(2);
      assertThat(report.get("missing").asLong()).isZero();
    } finally {
      database.execute("TRUNCATE ingest.event");
      database.execute("ALTER TABLE ingest.event ADD PRIMARY KEY (business_key)");
    }
  }

  @Test
  void reportAsJsonHasAllNumbers() {
    Command verify = Command.run(arguments.of("verify", "--json"));

    assertThat(verify.exitCode()).isZero();
    JsonNode report = verify.json();
    assertThat(report.get("holds").asBoolean()).isTrue();
    assertThat(report.get("missing").asLong()).isZero();
    assertThat(report.get("keysTwice").asLong()).isZero();
    assertThat(report.get("lag").asLong()).isZero();
    JsonNode second = report.get("partitions").get(1);
    assertThat(second.get("partition").asInt()).isEqualTo(1);
    assertThat(second.get("from").asLong()).isZero();
    assertThat(second.get("to").asLong()).isEqualTo(25);
    assertThat(second.get("end").asLong()).isEqualTo(25);
    assertThat(second.get("lag").asLong()).isZero();
    assertThat(counts(report, 1).get("events").asLong()).isEqualTo(25);
    assertThat(counts(report, 1).get("parked").asLong()).isEqualTo(1);
  }

  @Test
  void offsetsThatTheGroupHasNotReadAreLagAndNoProblem(TestDatabase database, TestTopics topics) {
    String unread = topics.createTopic(1);
    topics.send(unread, 0, "key", "{}");

    Command verify = Command.run(Arguments.of(database, topics, unread).of("verify", "--json"));

    assertThat(verify.exitCode()).isZero();
    assertThat(verify.json().get("lag").asLong()).isEqualTo(1);
  }

  @Test
  void readingEndsAtTheGroupsOffset(TestDatabase database, TestTopics topics) {
    String topic = topics.createTopic(1);
    topics.send(topic, 0, "key-1", "{}");
    topics.send(topic, 0, "key-2", "{}");
    topics.send(topic, 0, "unread", "{}");
    topics.commit(topic, topic, Map.of(0, 2L));

    Command verify = Command.run(Arguments.of(database, topics, topic).of("verify", "--json"));

    assertThat(verify.json().get("lag").asLong()).isEqualTo(1);
    assertThat(counts(verify.json(), 0).get("events").asLong()).isEqualTo(2);
  }

  @Test
  void eventThatIsStoredWhileItIsLookedForIsStored(TestDatabase database) throws Exception {
    try (Connection healer = database.connect();
        Statement statement = healer.createStatement()) {
      healer.setAutoCommit(false);
      statement.execute("LOCK TABLE ingest.parked");
      CompletableFuture<JsonNode> verify =
          CompletableFuture.supplyAsync(() -> Command.run(arguments.of("verify", "--json")).json());
      await().until(() -> database.count(WAITING) == 1);
      statement.execute(
          """
          INSERT INTO ingest.event (business_key, topic, partition, record_offset)
          SELECT 'key-49', topic, partition, record_offset FROM ingest.parked;
          UPDATE ingest.parked SET status = 'stored';
          """);
      healer.commit();

      JsonNode report = verify.get(30, TimeUnit.SECONDS);
      assertThat(report.get("holds").asBoolean()).as(report.toString()).isTrue();
      assertThat(counts(report, 1).get("stored").asLong()).isEqualTo(25);
      assertThat(counts(report, 1).get("parked").asLong()).isZero();
    } finally {
      database.execute("UPDATE ingest.parked SET status = 'parked'");
    }
  }

  private static JsonNode reportOfProblems() {
    Command verify = Command.run(arguments.of("verify", "--json"));
    assertThat(verify.exitCode()).as(verify.out() + verify.err()).isEqualTo(3);
    assertThat(verify.json().get("holds").asBoolean()).isFalse();
    return verify.json();
  }

  private static JsonNode counts(JsonNode report, int partition) {
    return report.get("partitions").get(partition).get("counts");
  }
}
