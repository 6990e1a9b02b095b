package dev.ingest.app.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.app.config.Concern;
import dev.ingest.app.config.Config;
import dev.ingest.app.config.SettingSources;
import dev.ingest.app.metrics.ProcessMetrics;
import dev.ingest.pipeline.IngestEvents;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** From a topic to the jobs of its new events, as {@code ingest run} does it. */
class EventJobsIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final long MILLIS_OF_DAY = 86_400_000;

  private final TestDatabase database = POSTGRES.database();

  @BeforeEach
  void createTables() {
    database.execute("DROP SCHEMA IF EXISTS ingest CASCADE; DROP SCHEMA IF EXISTS app CASCADE");
    Schema.create(database);
    database.execute(
        """
        CREATE SCHEMA app;
        CREATE TABLE app.counted (event_key text, n integer, source text);
        CREATE FUNCTION app.count_order(event_key text, payload jsonb, source text) RETURNS void
        LANGUAGE sql AS $$ INSERT INTO app.counted VALUES (event_key, (payload->>'n')::int, source) $$;
        """);
  }

  private Config config(TestTopics topics, String topic, String... jobs) {
    return Config.load(
        new SettingSources(
            Path.of("none.yaml"),
            false,
            Map.of(),
            Stream.concat(
                    Stream.of(
                        "ingest.source.topics=" + topic,
                        "ingest.source.group-id=" + topic,
                        "ingest.kafka.bootstrap.servers=" + topics.bootstrap(),
                        "ingest.postgres.url=" + database.url(),
                        "ingest.postgres.user=" + database.user()),
                    Stream.of(jobs))
                .toList()),
        EnumSet.allOf(Concern.class));
  }

  private static void send(TestTopics topics, String topic, String... keys) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (String key : keys) {
      ProducerRecord<byte[], byte[]> record =
          new ProducerRecord<>(
              topic, 0, key.getBytes(UTF_8), ("{\"n\": " + records.size() + "}").getBytes(UTF_8));
      record.headers().add("trace", ("of " + key).getBytes(UTF_8)).add("trace", null);
      record.headers().add("ingest-job-id", "of an earlier job".getBytes(UTF_8));
      records.add(record);
    }
    topics.send(records);
  }

  private long done(String queue) {
    return database.count("SELECT count(*) FROM ingest.job_done WHERE queue = ?", queue);
  }

  @Test
  void eachNewEventIsPublishedAndCountedOnceAndADuplicateNever(TestTopics topics) {
    String topic = topics.createTopic(1);
    String stored = topics.createTopic(1);
    Config config =
        config(
            topics,
            topic,
            "ingest.workers=2",
            "ingest.jobs.out.kafka.topic=" + stored,
            "ingest.jobs.count.sql.function=app.count_order");
    send(topics, topic, "a", "b", "a", "ü", "b");
    ProcessMetrics metrics = new ProcessMetrics();

    assertThat(TargetCheck.run(config)).isEmpty();
    try (metrics;
        QueueWork work = QueueWork.create(config, metrics);
        IngestProcess process = IngestProcess.create(config, work.listener())) {
      process.start();
      work.start();
      await().atMost(SOON).until(() -> done("out") == 3 && done("count") == 3);
      send(topics, topic, "ü", "c", "a");
      await().atMost(SOON).until(() -> done("out") == 4 && done("count") == 4);
      await().atMost(SOON).until(() -> topics.lag(topic, topic) == 0);
      await()
          .atMost(SOON) // the gauges are asked for every ten seconds
          .untilAsserted(
              () ->
                  assertThat(metrics.scrape())
                      .contains("ingest_jobs_attempts_total{outcome=\"done\",queue=\"count\"} 4.0")
                      .contains("ingest_jobs_depth{queue=\"out\",status=\"waiting\"} 0.0")
                      .contains("ingest_postgres_deadlocks_total 0.0"));
    }

    assertThat(database.count("SELECT count(*) FROM ingest.job")).isZero();
    assertThat(
            database.column(
                "SELECT event_key || n || right(source, 2) FROM app.counted ORDER BY event_key"))
        .containsExactly("a0@0", "b1@1", "c1@6", "ü3@3");
    List<ConsumerRecord<byte[], byte[]>> published = PublishedRecords.read(topics, stored);
    assertThat(published)
        .extracting(each -> new String(each.key(), UTF_8) + new String(each.value(), UTF_8))
        .containsExactlyInAnyOrder("a{\"n\": 0}", "b{\"n\": 1}", "ü{\"n\": 3}", "c{\"n\": 1}");
    assertThat(published)
        .allSatisfy(
            each ->
                assertThat(PublishedRecords.headers(each))
                    .satisfiesExactly(
                        own ->
                            assertThat(own).isEqualTo("trace=of " + new String(each.key(), UTF_8)),
                        absent -> assertThat(absent).isEqualTo("trace"),
                        id -> assertThat(id).matches("ingest-job-id=[0-9]+"),
                        source -> assertThat(source).startsWith("ingest-source=" + topic + "-0@")));
  }

  @Test
  void aTableDividedByTimeMakesOneJobAKeyWhateverItsTime(TestTopics topics) {
    database.execute(
        """
        CREATE TABLE app.reading (id text, at timestamptz, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
        CREATE TABLE app.first PARTITION OF app.reading FOR VALUES FROM (MINVALUE) TO ('2018-01-02Z');
        CREATE TABLE app.second PARTITION OF app.reading FOR VALUES FROM ('2018-01-02Z') TO (MAXVALUE);
        """);
    String topic = topics.createTopic(1);
    Config config =
        config(
            topics,
            topic,
            "ingest.workers=1",
            "ingest.jobs.count.sql.function=app.count_order",
            "ingest.target.table=app.reading",
            "ingest.target.columns.id=key",
            "ingest.target.columns.at=timestamp",
            "ingest.dedupe.window=7d");
    long day = Instant.parse("2018-01-01T12:00:00Z").toEpochMilli();
    topics.send(
        List.of(
            at(topic, "a", day),
            at(topic, "b", day + MILLIS_OF_DAY),
            at(topic, "a", day + MILLIS_OF_DAY),
            at(topic, "b", day),
            at(topic, "c", day)));

    assertThat(TargetCheck.run(config)).isEmpty();
    try (ProcessMetrics metrics = new ProcessMetrics();
        QueueWork work = QueueWork.create(config, metrics);
        IngestProcess process = IngestProcess.create(config, work.listener())) {
      process.start();
      work.start();
      await().atMost(SOON).until(() -> topics.lag(topic, topic) == 0 && done("count") == 3);
    }

    assertThat(database.count("SELECT count(*) FROM ingest.job")).isZero();
    assertThat(database.column("SELECT event_key FROM app.counted ORDER BY 1"))
        .isEqualTo(database.column("SELECT id FROM app.reading ORDER BY 1"))
        .hasSize(3);
  }

  private static ProducerRecord<byte[], byte[]> at(String topic, String key, long millis) {
    return new ProducerRecord<>(topic, 0, millis, key.getBytes(UTF_8), "{}".getBytes(UTF_8));
  }

  @Test
  void withoutWorkersTheJobsWaitForOtherProcesses(TestTopics topics) {
    String topic = topics.createTopic(1);
    String stored = topics.createTopic(1);
    send(topics, topic, "a", "b");
    String[] job = {"ingest.workers=0", "ingest.jobs.out.kafka.topic=" + stored};
    Config config = config(topics, topic, job);
    ProcessMetrics metrics = new ProcessMetrics();

    try (metrics;
        QueueWork work = QueueWork.create(config, metrics);
        IngestProcess process = IngestProcess.create(config, work.listener())) {
      process.start();
      work.start();
      await().atMost(SOON).until(() -> topics.lag(topic, topic) == 0);
    }

    assertThat(database.count("SELECT count(*) FROM ingest.job WHERE status = 'waiting'"))
        .isEqualTo(2);
    job[0] = "ingest.workers=1";
    Config other = config(topics, topic, job);
    ProcessMetrics others = new ProcessMetrics();
    try (others;
        QueueWork work = QueueWork.create(other, others)) {
      work.start();
      await().atMost(SOON).until(() -> done("out") == 2);
    }
    assertThat(PublishedRecords.read(topics, stored)).hasSize(2);
  }

  @Test
  void aFunctionThatFailsKeepsItsJobAndItsEventIsStored(TestTopics topics) {
    String topic = topics.createTopic(1);
    database.execute("ALTER TABLE app.counted ADD CONSTRAINT small CHECK (n < 2)");
    Config config =
        config(
            topics,
            topic,
            "ingest.jobs.count.sql.function=app.count_order",
            "ingest.jobs.count.max-attempts=1");
    send(topics, topic, "a", "b", "c", "d");
    ProcessMetrics metrics = new ProcessMetrics();

    try (metrics;
        QueueWork work = QueueWork.create(config, metrics);
        IngestProcess process = IngestProcess.create(config, IngestEvents.NONE)) {
      process.start();
      work.start();
      String failed = "SELECT count(*) FROM ingest.job WHERE status = 'failed'";
      await().atMost(SOON).until(() -> done("count") == 2 && database.count(failed) == 2);
    }

    assertThat(database.count("SELECT count(*) FROM ingest.event")).isEqualTo(4);
    assertThat(database.count("SELECT count(*) FROM app.counted")).isEqualTo(2);
  }

  @Test
  void aFunctionGetsTheDocumentThatColumnsRead(TestTopics topics) {
    String topic = topics.createTopic(1);
    Config config =
        config(
            topics,
            topic,
            "ingest.value.envelope=debezium",
            "ingest.jobs.count.sql.function=app.count_order");
    String change = "{\"op\": \"c\", \"before\": null, \"after\": {\"n\": 5}}";
    topics.send(
        List.of(new ProducerRecord<>(topic, 0, "a".getBytes(UTF_8), change.getBytes(UTF_8))));
    ProcessMetrics metrics = new ProcessMetrics();

    try (metrics;
        QueueWork work = QueueWork.create(config, metrics);
        IngestProcess process = IngestProcess.create(config, work.listener())) {
      process.start();
      work.start();
      await().atMost(SOON).until(() -> done("count") == 1);
    }

    assertThat(database.column("SELECT n FROM app.counted")).containsExactly(5);
  }

  @Test
  void aFunctionThatIsMissingIsAProblemBeforeTheStart(TestTopics topics) {
    Config config =
        config(
            topics,
            topics.createTopic(1),
            "ingest.jobs.a.sql.function=app.count_order",
            "ingest.jobs.a.sql.payload=bytea");

    assertThat(TargetCheck.run(config))
        .containsExactly(
            "ingest.jobs.a.sql.function=app.count_order does not exist;"
                + " create app.count_order(text, bytea, text)");
  }
}
