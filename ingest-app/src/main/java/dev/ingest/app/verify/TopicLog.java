package dev.ingest.app.verify;

import dev.ingest.app.config.Topics;
import dev.ingest.kafka.RefusedSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads partitions from their beginning to where the group has committed. Single-threaded. */
final class TopicLog implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** Offsets of a partition: the first there is, where the group is, where the topic ends. */
  record Extent(long from, long committed, long end) {}

  private final Map<String, Object> settings;
  private final KafkaConsumer<byte[], byte[]> consumer;

  /**
   * @throws dev.ingest.event.IngestException {@code CONFIG_INVALID} where the client refuses its
   *     settings
   */
  TopicLog(Map<String, String> kafka) {
    settings = new HashMap<>(kafka);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 2000);
    settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    consumer = consumer(settings);
  }

  private static KafkaConsumer<byte[], byte[]> consumer(Map<String, Object> settings) {
    try {
      return new KafkaConsumer<>(settings);
    } catch (KafkaException refused) {
      throw RefusedSettings.of(refused);
    }
  }

  /**
   * Partitions of the topics with their extents; the group's offset is {@code from} where it has
   * none.
   */
  SortedMap<TopicPartition, Extent> extents(Topics topics, String group)
      throws ExecutionException, InterruptedException, TimeoutException {
    List<TopicPartition> partitions = partitions(topics::includes);
    Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions, TIMEOUT);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, TIMEOUT);
    Map<TopicPartition, OffsetAndMetadata> committed = committed(group);
    SortedMap<TopicPartition, Extent> extents =
        new TreeMap<>(
            Comparator.comparing(TopicPartition::topic)
                .thenComparingInt(TopicPartition::partition));
    for (TopicPartition partition : partitions) {
      long from = beginnings.getOrDefault(partition, 0L);
      OffsetAndMetadata offset = committed.get(partition);
      long to = offset == null ? from : Math.max(from, offset.offset());
      extents.put(partition, new Extent(from, to, ends.getOrDefault(partition, to)));
    }
    return extents;
  }

  private List<TopicPartition> partitions(Predicate<String> wanted) {
    return consumer.listTopics(TIMEOUT).entrySet().stream()
        .filter(topic -> wanted.test(topic.getKey()))
        .flatMap(topic -> topic.getValue().stream())
        .map(each -> new TopicPartition(each.topic(), each.partition()))
        .toList();
  }

  private Map<TopicPartition, OffsetAndMetadata> committed(String group)
      throws ExecutionException, InterruptedException, TimeoutException {
    try (Admin admin = Admin.create(settings)) {
      return admin
          .listConsumerGroupOffsets(group)
          .partitionsToOffsetAndMetadata()
          .get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }
  }

  /** What is done with each portion of a partition. */
  interface Portion {
    void read(List<ConsumerRecord<byte[], byte[]>> records);
  }

  /** Reads a partition's records from {@code from}, inclusive, to {@code to}, exclusive. */
  void read(TopicPartition partition, long from, long to, Portion portion) {
    consumer.assign(List.of(partition));
    consumer.seek(partition, from);
    while (consumer.position(partition, TIMEOUT) < to) {
      Collection<ConsumerRecord<byte[], byte[]>> polled = consumer.poll(TIMEOUT).records(partition);
      portion.read(polled.stream().filter(record -> record.offset() < to).toList());
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
