package dev.ingest.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.ingest.app.schema.Migrations;
import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import dev.ingest.kafka.KafkaEventSource;
import dev.ingest.kafka.Subscription;
import dev.ingest.pipeline.ConsumerSettings;
import dev.ingest.pipeline.EventSource;
import dev.ingest.pipeline.IngestConsumer;
import dev.ingest.pipeline.Polled;
import dev.ingest.plan.KeyReader;
import dev.ingest.postgres.PostgresEventStore;
import dev.ingest.postgres.StoreSettings;
import dev.ingest.postgres.Timeouts;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.PostgresProxy;
import dev.ingest.testkit.ProxyLink;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Liveness of each partition on real servers, with a bound of three seconds. */
class PartitionProgressIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  private static final Duration BOUND = Duration.ofSeconds(3);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final LoopBounds BOUNDS =
      new LoopBounds(Duration.ofMinutes(5), Duration.ofMinutes(5), BOUND);

  private final TestDatabase database = POSTGRES.database();
  private final TestTopics topics = KAFKA.topics();
  private final ConsumerWatch watch = new ConsumerWatch("consumer-0", InstantSource.system());

  @BeforeAll
  static void createSchema(TestDatabase database) {
    new Migrations(database.dataSource()).migrate();
  }

  @Test
  void partitionThatTheSourceForgotFailsLivenessThoughAnotherOneFlows() {
    String topic = topics.createTopic(2);
    topics.send(topic, 1, "forgotten", "{}");
    try (HikariDataSource pool = pool();
        IngestConsumer consumer = consumer(topic, pool, new TopicPartition(topic, 1))) {
      consumer.start();

      await("an alarm")
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                topics.send(topic, 0, "flows", "{}");
                assertThat(alive(consumer).problems())
                    .singleElement()
                    .asString()
                    .startsWith("consumer-0 is behind in " + topic + "-1 and has not got on for ");
              });
    }
  }

  @Test
  void aStatementThatNeitherReturnsNorFailsIsAnAlarmUntilItDoes() {
    String topic = topics.createTopic(1);
    topics.send(topic, 0, "before", "{}");
    try (PostgresProxy proxy = PostgresProxy.to(database.server());
        HikariDataSource pool = pool(database.dataSource(proxy));
        IngestConsumer consumer = consumer(topic, pool, new TopicPartition("none", 0))) {
      consumer.start();
      await().atMost(PATIENCE).until(() -> topics.lag(topic, topic) == 0);
      assertThat(alive(consumer).problems()).isEmpty();

      proxy.beforeNext("INSERT INTO ingest.event", ProxyLink::freeze);
      topics.send(topic, 0, "into the black hole", "{}");
      await("an alarm")
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(alive(consumer).problems())
                      .singleElement()
                      .asString()
                      .startsWith("consumer-0 is behind in " + topic + "-0 and has not got on"));

      proxy.thaw();
      await("no alarm")
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(alive(consumer).problems()).isEmpty());
      assertThat(database.count("SELECT count(*) FROM ingest.event WHERE topic = ?", topic))
          .isEqualTo(2);
    }
  }

  @Test
  void idleTopicWithControlRecordsAndALongLockRaiseNoAlarm() throws Exception {
    String topic = topics.createTopic(2);
    topics.send(topic, 0, "key", "{}");
    sendInTransactions(topic);
    try (HikariDataSource pool = pool();
        IngestConsumer consumer = consumer(topic, pool, new TopicPartition("none", 0))) {
      consumer.start();
      await().atMost(PATIENCE).until(() -> topics.lag(topic, topic) <= 1);
      assertNoAlarmFor(BOUND.multipliedBy(2), consumer);

      try (Connection holder = database.connect();
          Statement statement = holder.createStatement()) {
        holder.setAutoCommit(false);
        statement.execute("LOCK TABLE ingest.event IN ACCESS EXCLUSIVE MODE");
        topics.send(topic, 0, "behind the lock", "{}");
        assertNoAlarmFor(BOUND.multipliedBy(3), consumer);
        holder.rollback();
      }
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  database.count("SELECT count(*) FROM ingest.event WHERE topic = ?", topic) == 3);
      assertNoAlarmFor(BOUND, consumer);
    }
  }

  private void sendInTransactions(String topic) throws Exception {
    try (Producer<byte[], byte[]> producer =
        topics.producer(Map.of("transactional.id", topics.uniqueName()))) {
      producer.initTransactions();
      for (boolean commits : new boolean[] {false, true, false}) {
        producer.beginTransaction();
        Future<RecordMetadata> sent =
            producer.send(new ProducerRecord<>(topic, 1, new byte[] {'k'}, new byte[] {'{', '}'}));
        sent.get();
        if (commits) {
          producer.commitTransaction();
        } else {
          producer.abortTransaction();
        }
      }
    }
  }

  private void assertNoAlarmFor(Duration time, IngestConsumer consumer) {
    await("no alarm")
        .during(time)
        .atMost(time.plus(PATIENCE))
        .untilAsserted(() -> assertThat(alive(consumer).problems()).isEmpty());
  }

  private Verdict alive(IngestConsumer consumer) {
    return HealthRules.alive(List.of(watch.status(consumer)), BOUNDS, Instant.now());
  }

  private IngestConsumer consumer(String topic, HikariDataSource pool, TopicPartition forgotten) {
    return IngestConsumer.create(
        "consumer-0",
        ConsumerSettings.of(KeyReader.recordKey()),
        () ->
            new Forgetful(
                new KafkaEventSource(
                    Map.of("bootstrap.servers", topics.bootstrap()), topic, Subscription.to(topic)),
                forgotten),
        new PostgresEventStore(pool, settings()),
        watch);
  }

  private static StoreSettings settings() {
    StoreSettings defaults = StoreSettings.defaults();
    return new StoreSettings(
        defaults.targets(),
        new Timeouts(
            Duration.ofSeconds(1),
            Duration.ofSeconds(20),
            Duration.ofSeconds(20),
            Duration.ofSeconds(30)),
        defaults.lockBudget(),
        1,
        defaults.namespace());
  }

  private HikariDataSource pool() {
    return pool(database.dataSource());
  }

  private static HikariDataSource pool(DataSource source) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(source);
    config.setMaximumPoolSize(2);
    return new HikariDataSource(config);
  }

  /** Reads a partition and hands nothing of it over. */
  private record Forgetful(EventSource source, TopicPartition forgotten) implements EventSource {
    @Override
    public Polled poll(Duration timeout) {
      Polled polled = source.poll(timeout);
      Map<TopicPartition, Long> positions = new HashMap<>(polled.positions());
      positions.remove(forgotten);
      List<Event> events =
          polled.events().stream().filter(event -> !event.partition().equals(forgotten)).toList();
      return new Polled(events, positions);
    }

    @Override
    public Map<TopicPartition, Long> unread() {
      Map<TopicPartition, Long> unread = new HashMap<>(source.unread());
      unread.computeIfPresent(forgotten, (partition, events) -> events + 1);
      return unread;
    }

    @Override
    public void subscribe(Listener listener) {
      source.subscribe(listener);
    }

    @Override
    public void pauseAll() {
      source.pauseAll();
    }

    @Override
    public void resumeAll() {
      source.resumeAll();
    }

    @Override
    public void commit(Map<TopicPartition, Long> nextOffsets, Runnable acknowledged) {
      source.commit(nextOffsets, acknowledged);
    }

    @Override
    public boolean commitNow(Map<TopicPartition, Long> nextOffsets, Duration timeout) {
      return source.commitNow(nextOffsets, timeout);
    }

    @Override
    public void close(Duration timeout) {
      source.close(timeout);
    }
  }
}
