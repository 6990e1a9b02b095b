package dev.ingest.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.ingest.kafka.KafkaEventSource;
import dev.ingest.kafka.Subscription;
import dev.ingest.plan.KeyReader;
import dev.ingest.postgres.PostgresEventStore;
import dev.ingest.postgres.StoreSettings;
import dev.ingest.testkit.Earthquakes;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.Tally;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** I2 and I6 on the shortest way: keys that come three times over four partitions. */
class MainPathIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  @BeforeAll
  static void createSchema(TestDatabase database) {
    Schema.create(database);
  }

  @Test
  void everyKeyIsStoredOnceWhenItComesThreeTimesOverFourPartitions(
      TestDatabase database, TestTopics topics) {
    String topic = topics.createTopic(4);
    topics.send(shuffledThreeTimes(topic));
    Tally tally = new Tally();

    try (HikariDataSource pool = pool(database);
        IngestConsumer first = consumer("first", pool, topics, topic, tally);
        IngestConsumer second = consumer("second", pool, topics, topic, tally)) {
      first.start();
      second.start();
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(topics.lag("main-path", topic)).isZero());
    }

    assertThat(database.count("SELECT count(*) FROM ingest.event")).isEqualTo(1707);
    assertThat(tally.totals()).isEqualTo(new Tally.Totals(5121, 1707, 3414, 0, 0));
    assertThat(database.deadlocks()).isZero();
  }

  private static List<ProducerRecord<byte[], byte[]>> shuffledThreeTimes(String topic) {
    long seed = ThreadLocalRandom.current().nextLong();
    System.out.println("seed=" + seed);
    List<Earthquakes.Quake> quakes = new ArrayList<>();
    for (int copy = 0; copy < 3; copy++) {
      quakes.addAll(Earthquakes.all());
    }
    Random random = new Random(seed);
    Collections.shuffle(quakes, random);
    return quakes.stream()
        .map(
            quake ->
                new ProducerRecord<>(
                    topic,
                    random.nextInt(4),
                    quake.id().getBytes(UTF_8),
                    quake.json().getBytes(UTF_8)))
        .toList();
  }

  private static IngestConsumer consumer(
      String name, HikariDataSource pool, TestTopics topics, String topic, Tally tally) {
    return IngestConsumer.create(
        name,
        ConsumerSettings.of(KeyReader.recordKey()),
        () ->
            new KafkaEventSource(
                Map.of("bootstrap.servers", topics.bootstrap()),
                "main-path",
                Subscription.to(topic)),
        new PostgresEventStore(pool, StoreSettings.defaults()),
        tally);
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
