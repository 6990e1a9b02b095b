package dev.ingest.app.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.app.config.Concern;
import dev.ingest.app.config.Config;
import dev.ingest.app.config.SettingSources;
import dev.ingest.testkit.Earthquakes;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.Tally;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Runs docs/mapping.md as it stands. */
class MappingGuideIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();
  private static final Guide GUIDE = Guide.read("mapping.md");

  @TempDir Path folder;

  @BeforeAll
  static void createTables(TestDatabase database) {
    Schema.create(database);
    GUIDE.setUp().forEach(database::execute);
  }

  @Test
  void earthquakesSentThreeTimesReachATypedTableUnaltered(TestDatabase database, TestTopics topics)
      throws IOException {
    String topic = topics.createTopic(4);
    topics.send(shuffledThreeTimes(topic));
    Config config = config(database, topics, topic);
    Tally tally = new Tally();

    assertThat(TargetCheck.run(config)).isEmpty();
    try (IngestProcess process = IngestProcess.create(config, tally)) {
      process.start();
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(topics.lag("guide", topic)).isZero());
    }

    assertThat(tally.totals()).isEqualTo(new Tally.Totals(5121, 1707, 3414, 0, 0));
    assertThat(database.count("SELECT count(*) FROM app.quake")).isEqualTo(1707);
    assertThat(GUIDE.checks()).hasSize(1);
    GUIDE.checks().forEach(check -> assertThat(database.query(check)).isEmpty());
    assertThat(
            database.count("SELECT count(*) FROM app.quake WHERE raw = ANY (?::jsonb[])", file()))
        .isEqualTo(1707);
  }

  /** The file itself, to see that the raw column is what was sent. */
  private static Object file() {
    return Earthquakes.all().stream().map(Earthquakes.Quake::json).toArray(String[]::new);
  }

  private Config config(TestDatabase database, TestTopics topics, String topic) throws IOException {
    Path file = Files.writeString(folder.resolve("ingest.yaml"), GUIDE.blocks("yaml").get(0));
    return Config.load(
        new SettingSources(
            file,
            true,
            Map.of(),
            List.of(
                "ingest.source.topics=" + topic,
                "ingest.source.group-id=guide",
                "ingest.source.consumers=2",
                "ingest.kafka.bootstrap.servers=" + topics.bootstrap(),
                "ingest.postgres.url=" + database.url(),
                "ingest.postgres.user=" + database.user())),
        EnumSet.allOf(Concern.class));
  }

  private static List<ProducerRecord<byte[], byte[]>> shuffledThreeTimes(String topic) {
    long seed = ThreadLocalRandom.current().nextLong();
    System.out.println("seed=" + seed);
    Random random = new Random(seed);
    List<Earthquakes.Quake> quakes = new ArrayList<>();
    for (int copy = 0; copy < 3; copy++) {
      quakes.addAll(Earthquakes.all());
    }
    Collections.shuffle(quakes, random);
    return quakes.stream()
        .map(
            quake ->
                new ProducerRecord<byte[], byte[]>(
                    topic, random.nextInt(4), null, quake.json().getBytes(UTF_8)))
        .toList();
  }
}
