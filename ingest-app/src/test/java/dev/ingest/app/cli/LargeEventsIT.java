package dev.ingest.app.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Events of a mebibyte, in all more than the heap, and one that is too large to be held; and events
 * of that size of which the broker keeps a kibibyte each, so that a single fetch holds all of them.
 * The full trial is {@code -Dingest.test.large.events=4000}.
 */
class LargeEventsIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  private static final int EVENTS = Integer.getInteger("ingest.test.large.events", 280);
  private static final int HEAP_MEGABYTES = 256;
  private static final int PARTITIONS = 4;
  private static final int MEBIBYTE = 1 << 20;

  private final Random random = random();

  private static Random random() {
    long seed = ThreadLocalRandom.current().nextLong();
    System.out.println("seed=" + seed);
    return new Random(seed);
  }

  @Test
  void largeEventsFitIntoASmallHeapAndOneAboveTheLimitIsParkedByReference(
      TestDatabase database, TestTopics topics) {
    String topic = topics.createTopic(PARTITIONS, Map.of("max.message.bytes", "16777216"));
    send(topics, topic);
    Arguments arguments = arguments(database, topics, topic);

    ingest(arguments, topics, topic);

    assertThat(count(database, topic, "pg_column_size(payload)")).isEqualTo(EVENTS);
    Command verify = Command.run(arguments.of("verify", "--json"));
    assertThat(verify.exitCode()).as(verify.out() + verify.err()).isZero();
    assertParkedByReference(arguments, database);
  }

  @Test
  void largeEventsThatTheBrokerKeepsSmallFitIntoASmallHeap(
      TestDatabase database, TestTopics topics) {
    String topic = topics.createTopic(PARTITIONS);
    sendCompressed(topics, topic);
    Arguments arguments = arguments(database, topics, topic);

    ingest(arguments, topics, topic);

    assertThat(count(database, topic, "length(payload ->> 'data')")).isEqualTo(EVENTS);
    Command verify = Command.run(arguments.of("verify", "--json"));
    assertThat(verify.exitCode()).as(verify.out() + verify.err()).isZero();
  }

  private static Arguments arguments(TestDatabase database, TestTopics topics, String topic) {
    return Arguments.of(database, topics, topic).with("ingest.source.consumers", "4");
  }

  private static void ingest(Arguments arguments, TestTopics topics, String topic) {
    try (Program program = Program.start(HEAP_MEGABYTES, arguments.of("run"))) {
      new Group(topics, topic).awaitDone();
      program.terminate();
      assertThat(program.awaitExit()).as(program.output()).isZero();
      assertThat(program.output()).doesNotContain("OutOfMemoryError").doesNotContain("ERROR");
    }
  }

  /** Rows of a topic, all of them as large as its events. */
  private static long count(TestDatabase database, String topic, String size) {
    long all = database.count("SELECT count(*) FROM ingest.event WHERE topic = ?", topic);
    long large =
        database.count(
            "SELECT count(*) FROM ingest.event WHERE topic = ? AND %s > ?".formatted(size),
            topic,
            MEBIBYTE);
    assertThat(large).isEqualTo(all);
    return all;
  }

  private static void sendCompressed(TestTopics topics, String topic) {
    byte[] json = ("{\"data\":\"" + "x".repeat(MEBIBYTE + 1) + "\"}").getBytes(US_ASCII);
    Map<String, Object> settings =
        Map.of(
            "max.request.size",
            16 << 20,
            "compression.type",
            "gzip",
            "linger.ms",
            100,
            "batch.size",
            512 << 10,
            "max.block.ms",
            120_000);
    topics.send(
        settings,
        IntStream.range(0, EVENTS)
            .mapToObj(
                i ->
                    new ProducerRecord<>(
                        topic, i % PARTITIONS, ("small-" + i).getBytes(UTF_8), json)));
  }

  private void send(TestTopics topics, String topic) {
    topics.send(
        Map.of("max.request.size", 16 << 20, "max.block.ms", 120_000),
        IntStream.range(0, EVENTS)
            .flatMap(i -> i == EVENTS / 2 ? IntStream.of(i, EVENTS) : IntStream.of(i))
            .mapToObj(i -> record(topic, i, i == EVENTS ? 9 * MEBIBYTE : MEBIBYTE)));
  }

  /** Text that no compression makes much smaller. */
  private ProducerRecord<byte[], byte[]> record(String topic, int number, int length) {
    byte[] bytes = new byte[length * 3 / 4];
    random.nextBytes(bytes);
    String json = "{\"data\":\"" + Base64.getEncoder().encodeToString(bytes) + "\"}";
    return new ProducerRecord<>(
        topic, number % PARTITIONS, ("key-" + number).getBytes(UTF_8), json.getBytes(US_ASCII));
  }

  private static void assertParkedByReference(Arguments arguments, TestDatabase database) {
    List<Map<String, Object>> parked =
        database.query(
            "SELECT record_value IS NULL AS empty, record_size, last_reason FROM ingest.parked");
    assertThat(parked).hasSize(1);
    assertThat(parked.get(0)).containsEntry("empty", true);
    assertThat((Long) parked.get(0).get("record_size")).isGreaterThan(9L * MEBIBYTE);
    JsonNode shown = Command.run(arguments.of("parked", "show", "--json")).json();
    assertThat(shown.get("kept").asText()).isEqualTo("in Kafka alone, too large");
    assertThat(shown.get("fetch").asText())
        .contains("--partition " + EVENTS % PARTITIONS + " --offset ");
  }
}
