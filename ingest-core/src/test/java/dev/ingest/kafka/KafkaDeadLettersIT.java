package dev.ingest.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.RejectedEvent;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.TestTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class KafkaDeadLettersIT {
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  @Test
  void lettersAreThereWhenKeepReturnsAndLargeOnesRefer(TestTopics topics) {
    String dead = topics.createTopic(1, Map.of("max.message.bytes", "20000"));
    try (KafkaDeadLetters letters = letters(topics, dead)) {
      letters.keep("sales", List.of(rejected(0, 10), rejected(1, 100_000), rejected(2, 10)));

      assertThat(topics.endOffsets(dead)).containsEntry(0, 3L);
    }

    List<ConsumerRecord<byte[], byte[]>> read = read(topics, dead, 3);
    assertThat(read).filteredOn(KafkaDeadLettersIT::isReference).hasSize(1);
    assertThat(read).filteredOn(letter -> letter.value().length == 10).hasSize(2);
  }

  @Test
  void aTopicThatIsMissingIsWaitedFor(TestTopics topics) {
    try (KafkaDeadLetters letters = letters(topics, topics.uniqueName())) {
      StoreFault fault =
          catchThrowableOfType(
              StoreFault.class, () -> letters.keep("sales", List.of(rejected(0, 10))));

      assertThat(fault.kind()).isEqualTo(FaultKind.CONNECTION);
    }
  }

  private static KafkaDeadLetters letters(TestTopics topics, String dead) {
    return new KafkaDeadLetters(Map.of("bootstrap.servers", topics.bootstrap()), dead, "group");
  }

  private static boolean isReference(ConsumerRecord<byte[], byte[]> letter) {
    return letter.headers().lastHeader("ingest.errors.reference") != null;
  }

  private static RejectedEvent rejected(long offset, int bytes) {
    Event event =
        new Event(new TopicPartition("orders", 0), offset, 1700, null, new byte[bytes], List.of());
    return RejectedEvent.unreadable(event, "no key");
  }

  private static List<ConsumerRecord<byte[], byte[]>> read(
      TestTopics topics, String topic, int count) {
    List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>();
    org.apache.kafka.common.TopicPartition partition =
        new org.apache.kafka.common.TopicPartition(topic, 0);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", topics.bootstrap()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                consumer.poll(Duration.ofMillis(100)).forEach(read::add);
                return read.size() >= count;
              });
    }
    return read;
  }
}
