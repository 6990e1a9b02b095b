package dev.ingest.app.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.testkit.TestTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What jobs have published to a topic of one partition. */
final class PublishedRecords {
  private PublishedRecords() {}

  /** All that is there now, in order. */
  static List<ConsumerRecord<byte[], byte[]>> read(TestTopics topics, String topic) {
    List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>();
    TopicPartition partition = new TopicPartition(topic, 0);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", topics.bootstrap()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      while (consumer.position(partition) < end) {
        consumer.poll(Duration.ofMillis(100)).forEach(read::add);
      }
    }
    return read;
  }

  /** {@code name=value} of each header, or the name alone where it has no value. */
  static List<String> headers(ConsumerRecord<byte[], byte[]> record) {
    List<String> headers = new ArrayList<>();
    for (Header each : record.headers()) {
      byte[] value = each.value();
      headers.add(each.key() + (value == null ? "" : "=" + new String(value, UTF_8)));
    }
    return headers;
  }
}
