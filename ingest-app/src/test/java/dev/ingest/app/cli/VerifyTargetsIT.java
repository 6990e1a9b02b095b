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
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Verifying tables of the user's own: mapped, routed, partitioned, with dead letters. */
class VerifyTargetsIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  private final TestDatabase database = POSTGRES.database();
  private final TestTopics topics = KAFKA.topics();

  @BeforeAll
  static void createSchema(TestDatabase database) {
    Schema.create(database);
  }

  @BeforeEach
  void createTables() {
    database.execute("DROP SCHEMA IF EXISTS app CASCADE");
    database.execute(
        """
        CREATE SCHEMA app;
        CREATE TABLE app.orders (id text PRIMARY KEY, amount numeric(10, 2));
        CREATE TABLE app.log (id text NOT NULL, at timestamptz NOT NULL) PARTITION BY RANGE (at);
        CREATE TABLE app.log_all PARTITION OF app.log DEFAULT;
        CREATE INDEX ON app.log (id);
        CREATE TABLE app.device (id uuid, day date, PRIMARY KEY (day, id));
        """);
  }

  @Test
  void everyRouteIsHeldAgainstItsOwnTable() {
    String web = topics.createTopic(1);
    String shop = topics.createTopic(1);
    topics.send(web, 0, "A", "{\"amount\":1,\"at\":\"2026-01-01T10:00:00Z\"}");
    topics.send(web, 0, "a", "{\"amount\":2,\"at\":\"2026-01-01T12:00:00Z\"}");
    topics.send(web, 0, "x".repeat(3000), "{\"amount\":3,\"at\":\"2026-01-01T10:00:00Z\"}");
    topics.send(web, 0, "much", "{\"amount\":\"much\",\"at\":\"2026-01-01T10:00:00Z\"}");
    topics.send(shop, 0, "A", "{\"amount\":5}");
    topics.send(shop, 0, "s", "{\"amount\":6}");
    Arguments arguments =
        Arguments.of(database, topics, web)
            .with("ingest.source.topics", web + "," + shop)
            .with("ingest.key.normalize", "lower-case")
            .with("ingest.key.too-long", "digest")
            .with("ingest.routes.orders.target.table", "app.orders")
            .with("ingest.routes.orders.target.columns.id", "key")
            .with("ingest.routes.orders.target.columns.amount", "json:/amount")
            .with("ingest.routes.log.topics", web)
            .with("ingest.routes.log.dedupe.window", "1h")
            .with("ingest.routes.log.target.table", "app.log")
            .with("ingest.routes.log.target.key-columns", "id")
            .with("ingest.routes.log.target.columns.id", "key")
            .with("ingest.routes.log.target.columns.at", "json:/at");
    ingest(arguments, web, web, shop);

    JsonNode report = verify(arguments, 0);
    assertCounts(report, web, "log", 4, 0, 0, 0);
    assertCounts(report, web, "orders", 3, 1, 0, 0);
    assertCounts(report, shop, "orders", 2, 0, 0, 0);
    assertThat(Command.run(arguments.of("verify")).out()).contains(web + "-0 log  ");

    database.execute("DELETE FROM app.log WHERE id = 'a'");
    database.execute("DELETE FROM app.orders WHERE id LIKE 'sha256:%'");
    report = verify(arguments, 3);
    assertCounts(report, web, "log", 2, 0, 0, 2);
    assertThat(counts(report, web, "log").get("missingOffsets").toString()).isEqualTo("[0,1]");
    assertCounts(report, web, "orders", 2, 1, 0, 1);
    assertThat(counts(report, web, "orders").get("missingOffsets"))
        .singleElement()
        .hasToString("2");
    assertCounts(report, shop, "orders", 2, 0, 0, 0);

    // Twice within the window counts, twice further apart does not.
    database.execute(
        "INSERT INTO app.log VALUES ('a', '2026-01-01 10:00Z'), ('a', '2026-01-01 12:00Z')");
    assertThat(verify(arguments, 3).get("keysTwice").asLong()).isZero();
    database.execute("INSERT INTO app.log VALUES ('a', '2026-01-01 10:59Z')");
    assertThat(verify(arguments, 3).get("keysTwice").asLong()).isEqualTo(1);

    database.execute("UPDATE ingest.parked SET status = 'stored' WHERE topic = ?", web);
    assertCounts(verify(arguments, 3), web, "orders", 2, 0, 0, 2);
  }

  @Test
  void deadLettersAreAccountedForWhereTheirTopicHasThem() {
    String topic = topics.createTopic(2);
    String dead = topics.createTopic(3);
    topics.send(
        IntStream.range(0, 20)
            .mapToObj(
                i ->
                    new ProducerRecord<>(
                        topic,
                        i % 2,
                        (i == 7 ? "no uuid" : "3F2504E0-4F89-11D3-9A0C-0305E82C33" + (10 + i))
                            .getBytes(UTF_8),
                        "{\"day\":\"2026-01-01\"}".getBytes(UTF_8)))
            .toList());
    topics.send(dead, 0, "no letter", "{}");
    Arguments arguments =
        Arguments.of(database, topics, topic)
            .with("ingest.errors.bad-event", "dead-letter")
            .with("ingest.errors.dead-letter-topic", dead)
            .with("ingest.target.table", "app.device")
            .with("ingest.target.key-columns", "id,day")
            .with("ingest.target.columns.id", "key")
            .with("ingest.target.columns.day", "json:/day");
    ingest(arguments, topic, topic);

    JsonNode report = verify(arguments, 0);
    assertThat(counts(report, topic, 1, "default").get("deadLettered").asLong()).isEqualTo(1);
    assertThat(counts(report, topic, 1, "default").get("stored").asLong()).isEqualTo(9);
    assertThat(counts(report, topic, 0, "default").get("stored").asLong()).isEqualTo(10);

    Arguments elsewhere = arguments.with("ingest.errors.dead-letter-topic", topics.createTopic(1));
    JsonNode lost = counts(verify(elsewhere, 3), topic, 1, "default");
    assertThat(lost.get("deadLettered").asLong()).isZero();
    assertThat(lost.get("missingOffsets")).singleElement().hasToString("3");

    Command absent =
        Command.run(arguments.with("ingest.errors.dead-letter-topic", "absent").of("verify"));
    assertThat(absent.exitCode()).isEqualTo(1);
    assertThat(absent.err()).contains("dead-letter-topic=absent does not exist");
  }

  @Test
  void deadLetterCountsForItsOwnRouteAlone() {
    String topic = topics.createTopic(1);
    topics.send(topic, 0, "a", "{\"amount\":\"much\",\"at\":\"2026-01-01T10:00:00Z\"}");
    Arguments arguments =
        Arguments.of(database, topics, topic)
            .with("ingest.errors.bad-event", "dead-letter")
            .with("ingest.errors.dead-letter-topic", topics.createTopic(1))
            .with("ingest.routes.orders.target.table", "app.orders")
            .with("ingest.routes.orders.target.columns.id", "key")
            .with("ingest.routes.orders.target.columns.amount", "json:/amount")
            .with("ingest.routes.log.target.table", "app.log")
            .with("ingest.routes.log.target.key-columns", "id")
            .with("ingest.routes.log.target.columns.id", "key")
            .with("ingest.routes.log.target.columns.at", "json:/at");
    ingest(arguments, topic, topic);

    assertCounts(verify(arguments, 0), topic, "log", 1, 0, 0, 0);
    database.execute("TRUNCATE app.log");
    JsonNode report = verify(arguments, 3);
    assertCounts(report, topic, "log", 0, 0, 0, 1);
    assertThat(counts(report, topic, "orders").get("deadLettered").asLong()).isEqualTo(1);
  }

  @Test
  void aTableThatIsNotThereIsAnErrorAndNoAnswer() {
    Arguments arguments =
        Arguments.of(database, topics, topics.createTopic(1))
            .with("ingest.target.table", "app.absent")
            .with("ingest.target.columns.id", "key");

    Command verify = Command.run(arguments.of("verify"));

    assertThat(verify.exitCode()).isEqualTo(1);
    assertThat(verify.err()).contains("ingest.target.table=app.absent is no table");
  }

  @Test
  void countingKeysTwiceMayTakeLongerThanAnyOtherAnswer() {
    String password = "slow-reader";
    String role = database.server().createUser(password);
    database.execute(
        """
        INSERT INTO app.orders VALUES ('a', 1);
        GRANT USAGE ON SCHEMA app, ingest TO %1$s;
        GRANT SELECT ON app.orders TO %1$s;
        GRANT SELECT ON ALL TABLES IN SCHEMA ingest TO %1$s;
        ALTER TABLE app.orders ENABLE ROW LEVEL SECURITY;
        CREATE POLICY slow ON app.orders USING (pg_sleep(2.5) IS NOT NULL);
        """
            .formatted(role));
    Arguments arguments =
        Arguments.of(database, topics, topics.createTopic(1))
            .with("ingest.target.table", "app.orders")
            .with("ingest.target.columns.id", "key")
            .with("ingest.lock.timeout", "500ms")
            .with("ingest.postgres.statement-timeout", "1s")
            .with("ingest.postgres.socket-timeout", "2s")
            .with("ingest.postgres.user", role)
            .with("ingest.postgres.password", password);

    assertThat(verify(arguments, 0).get("keysTwice").asLong()).isZero();
  }

  private void ingest(Arguments arguments, String group, String... read) {
    Config config =
        Config.load(SettingSources.only(arguments.assignments()), EnumSet.allOf(Concern.class));
    try (IngestProcess process = IngestProcess.create(config, IngestEvents.NONE)) {
      process.start();
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () ->
                  assertThat(List.of(read))
                      .allSatisfy(topic -> assertThat(topics.lag(group, topic)).isZero()));
    }
  }

  private static JsonNode verify(Arguments arguments, int exitCode) {
    Command verify = Command.run(arguments.of("verify", "--json"));
    assertThat(verify.exitCode()).as(verify.out() + verify.err()).isEqualTo(exitCode);
    assertThat(verify.json().get("holds").asBoolean()).isEqualTo(exitCode == 0);
    return verify.json();
  }

  private static void assertCounts(
      JsonNode report, String topic, String route, long... storedParkedSkippedMissing) {
    JsonNode counts = counts(report, topic, route);
    assertThat(
            List.of("stored", "parked", "skipped", "missing").stream()
                .map(name -> counts.get(name).asLong()))
        .as(route)
        .containsExactlyElementsOf(LongStream.of(storedParkedSkippedMissing).boxed().toList());
  }

  private static JsonNode counts(JsonNode report, String topic, String route) {
    return counts(report, topic, 0, route);
  }

  private static JsonNode counts(JsonNode report, String topic, int partition, String route) {
    return StreamSupport.stream(report.get("partitions").spliterator(), false)
        .filter(each -> each.get("topic").asText().equals(topic))
        .filter(each -> each.get("partition").asInt() == partition)
        .filter(each -> each.get("route").asText().equals(route))
        .findFirst()
        .orElseThrow()
        .get("counts");
  }
}
