package dev.ingest.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.EventSource;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.TestTopics;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnreadOffsetsIT {
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void reachZeroBehindTransactionsThatWereCommittedAndAborted(String protocol, TestTopics topics) {
    String topic = topics.createTopic(1);
    try (Producer<byte[], byte[]> producer =
        topics.producer(Map.of("transactional.id", topics.uniqueName()))) {
      producer.initTransactions();
      transaction(producer, topic, 20, true);
      transaction(producer, topic, 5, false);
    }

    try (EventSource source = source(topics, topic, protocol)) {
      int[] events = {0};
      await()
          .atMost(DEADLINE)
          .untilAsserted(
              () -> {
                events[0] += source.poll(Duration.ofMillis(100)).events().size();
                assertThat(source.unread()).isEqualTo(Map.of(new TopicPartition(topic, 0), 0L));
              });
      assertThat(events[0]).isEqualTo(20);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void growWhilePausedAsTheTopicGrows(String protocol, TestTopics topics) {
    String topic = topics.createTopic(1);
    topics.send(topic, 0, "first", "{}");

    try (EventSource source = source(topics, topic, protocol)) {
      await().atMost(DEADLINE).until(() -> !source.poll(Duration.ofMillis(100)).events().isEmpty());
      source.pauseAll();
      for (int i = 0; i < 30; i++) {
        topics.send(topic, 0, "later-" + i, "{}");
      }

      await()
          .atMost(DEADLINE)
          .untilAsserted(
              () -> {
                assertThat(source.poll(Duration.ofMillis(100)).events()).isEmpty();
                assertThat(source.unread()).isEqualTo(Map.of(new TopicPartition(topic, 0), 30L));
              });
    }
  }

  private static void transaction(
      Producer<byte[], byte[]> producer, String topic, int events, boolean commit) {
    producer.beginTransaction();
    for (int i = 0; i < events; i++) {
      var unused = // ending the transaction tells what went wrong
          producer.send(new ProducerRecord<>(topic, 0, ("key-" + i).getBytes(UTF_8), new byte[0]));
    }
    producer.flush();
    if (commit) {
      producer.commitTransaction();
    } else {
      producer.abortTransaction();
    }
  }

  private static EventSource source(TestTopics topics, String topic, String protocol) {
    EventSource source =
        new KafkaEventSource(
            Map.of("bootstrap.servers", topics.bootstrap(), "group.protocol", protocol),
            topics.uniqueName(),
            Subscription.to(topic));
    source.subscribe(new Deaf());
    return source;
  }

  private static final class Deaf implements EventSource.Listener {
    @Override
    public void assigned(Collection<TopicPartition> partitions) {}

    @Override
    public void revoked(Collection<TopicPartition> partitions) {}

    @Override
    public void lost(Collection<TopicPartition> partitions) {}
  }
}
