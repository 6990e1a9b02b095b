package dev.ingest.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.ingest.event.TopicPartition;
import dev.ingest.kafka.KafkaEventSource;
import dev.ingest.kafka.Subscription;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.mapping.TombstoneRule;
import dev.ingest.mapping.WriteRules;
import dev.ingest.plan.KeyReader;
import dev.ingest.plan.LockScheme;
import dev.ingest.plan.Tombstones;
import dev.ingest.postgres.PostgresEventStore;
import dev.ingest.postgres.StoreSettings;
import dev.ingest.postgres.Timeouts;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.Tally;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Keys that are stored, deleted and stored again, read by two groups at once, one of which is
 * stopped in the middle and started again: the last event of each key decides, and counts are exact
 * (I6).
 */
class DeletionsIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();
  private static final int PARTITIONS = 2;
  private static final int KEYS = 60;
  private static final int EVENTS = 3000;

  /** Offset of the first event after the last tombstone, of each key that has a row in the end. */
  private final Map<String, Long> expected = new TreeMap<>();

  @BeforeAll
  static void createSchema(TestDatabase database) {
    Schema.create(database);
  }

  @Test
  void lastEventOfEachKeyDecides(TestDatabase database, TestTopics topics) {
    String topic = topics.createTopic(PARTITIONS);
    topics.send(records(topic));
    Tally tally = new Tally();

    try (HikariDataSource pool = pool(database);
        IngestConsumer other = consumer("other", pool, topics, topic, tally)) {
      other.start();
      try (IngestConsumer stopped = consumer("stopped", pool, topics, topic, tally)) {
        stopped.start();
        await().until(() -> tally.totals().deleted() > 50);
      }
      try (IngestConsumer again = consumer("stopped", pool, topics, topic, tally)) {
        again.start();
        await()
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(
                () ->
                    assertThat(topics.lag("stopped", topic) + topics.lag("other", topic)).isZero());
      }
    }

    Map<String, Long> rows = new TreeMap<>();
    database
        .query("SELECT business_key, record_offset FROM ingest.event WHERE topic = ?", topic)
        .forEach(
            row ->
                rows.put(String.valueOf(row.get("business_key")), (Long) row.get("record_offset")));
    assertThat(rows.keySet()).isEqualTo(expected.keySet());
    // one group's tombstone may delete what the other has stored already, and stores again later
    assertThat(rows)
        .allSatisfy((key, offset) -> assertThat(offset).isGreaterThanOrEqualTo(expected.get(key)));
    assertThat(tally.totals().inserted() - tally.totals().deleted()).isEqualTo(expected.size());
    assertThat(tally.totals().polled()).isEqualTo(2 * EVENTS);
    assertThat(tally.totals().accounted()).isEqualTo(2 * EVENTS);
    assertThat(database.deadlocks()).isZero();
  }

  /**
   * A batch waits for a lock when its consumer is thrown out of the group: it is let go as soon as
   * the consumer knows, and comes again with the partition.
   */
  @Test
  void batchOfALostPartitionIsLetGo(TestDatabase database, TestTopics topics) throws Exception {
    String topic = topics.createTopic(1);
    byte[] key = "held".getBytes(UTF_8);
    topics.send(
        List.of(
            new ProducerRecord<>(topic, 0, key, "{}".getBytes(UTF_8)),
            new ProducerRecord<>(topic, 0, key, null)));
    Tally tally = new Tally();
    Losses losses = new Losses();
    IngestEvents listener = IngestEvents.all(List.of(tally, losses));

    try (HikariDataSource pool = pool(database);
        Connection holder = database.connect();
        IngestConsumer consumer = consumer("thrown-out", pool, topics, topic, listener)) {
      holder.setAutoCommit(false);
      try (Statement statement = holder.createStatement()) {
        statement.execute("SELECT pg_advisory_xact_lock(hashtext('held'))");
        consumer.start();
        await().until(() -> database.advisoryLocks().size() == 2);
        topics
            .admin()
            .removeMembersFromConsumerGroup(
                "thrown-out", new RemoveMembersFromConsumerGroupOptions())
            .all()
            .get();
        await().until(() -> losses.lost.get() > 0);
      }
      holder.rollback();
      await().untilAsserted(() -> assertThat(topics.lag("thrown-out", topic)).isZero());
    }

    assertThat(losses.released).hasValue(2);
    assertThat(tally.totals()).isEqualTo(new Tally.Totals(2, 0, 2, 0, 0));
    assertThat(database.count("SELECT count(*) FROM ingest.event WHERE topic = ?", topic)).isZero();
  }

  private static final class Losses implements IngestEvents {
    private final AtomicInteger lost = new AtomicInteger();
    private final AtomicInteger released = new AtomicInteger();

    @Override
    public void lost(Collection<TopicPartition> partitions) {
      lost.incrementAndGet();
    }

    @Override
    public void released(String topic, int events) {
      released.addAndGet(events);
    }
  }

  private List<ProducerRecord<byte[], byte[]>> records(String topic) {
    long seed = ThreadLocalRandom.current().nextLong();
    System.out.println("seed=" + seed);
    Random random = new Random(seed);
    long[] offsets = new long[PARTITIONS];
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      int number = random.nextInt(KEYS);
      String key = "key-" + number;
      int partition = number % PARTITIONS;
      byte @Nullable [] value = random.nextInt(3) == 0 ? null : "{}".getBytes(UTF_8);
      if (value == null) {
        expected.remove(key);
      } else {
        expected.putIfAbsent(key, offsets[partition]);
      }
      offsets[partition]++;
      records.add(new ProducerRecord<>(topic, partition, key.getBytes(UTF_8), value));
    }
    return records;
  }

  private static IngestConsumer consumer(
      String group, HikariDataSource pool, TestTopics topics, String topic, IngestEvents listener) {
    return IngestConsumer.create(
        group,
        new ConsumerSettings(
            BatchLimits.of(40, 1 << 20, Duration.ZERO),
            LockScheme.perKey(),
            Tombstones.deleting(KeyReader.recordKey()),
            BadEvents.park()),
        () ->
            new KafkaEventSource(
                Map.of("bootstrap.servers", topics.bootstrap()), group, Subscription.to(topic)),
        new PostgresEventStore(
            pool,
            new StoreSettings(
                TargetMapping.event().with(WriteRules.DEFAULT.with(TombstoneRule.parse("delete"))),
                Timeouts.DEFAULT,
                OptionalInt.empty(),
                1,
                OptionalInt.empty())),
        listener);
  }

  private static HikariDataSource pool(TestDatabase database) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.url());
    config.setUsername(database.user());
    config.setPassword(database.password());
    config.setMaximumPoolSize(2);
    return new HikariDataSource(config);
  }
}
