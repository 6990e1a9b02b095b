package dev.ingest.app.verify;

import dev.ingest.app.config.Topics;
import dev.ingest.event.Event;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import dev.ingest.event.TopicPartition;
import dev.ingest.kafka.DeadLetterPlace;
import dev.ingest.kafka.KafkaEvents;
import dev.ingest.kafka.PollBytes;
import dev.ingest.kafka.RefusedSettings;
import java.time.Duration;
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
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigDef;

/**
 * Reads partitions from their beginning to where the group has committed, in portions of at most
 * 2,000 records and the bytes of one fetch. Single-threaded.
 */
final class TopicLog implements AutoCloseable {
  /** Of {@code request.timeout.ms}, as the Kafka client has it. */
  private static final int DEFAULT_PATIENCE_MILLIS = 30_000;

  /**
   * Short: after a seek, the client of group.protocol=consumer may ask for records with the next
   * poll alone, and wait out the one at hand.
   */
  private static final Duration POLL = Duration.ofMillis(200);

  /** Offsets of a partition: the first there is, where the group is, where the topic ends. */
  record Extent(long from, long committed, long end) {}

  private final Map<String, Object> settings;
  private final PollBytes bytes;
  private final Consumer<byte[], byte[]> consumer;

  /** How long a broker may give nothing. */
  private final Duration patience;

  /**
   * @param kafka settings of the clients; {@code request.timeout.ms} is also how long a broker may
   *     give nothing, 30 seconds where it is not set
   * @throws dev.ingest.event.IngestException {@code CONFIG_INVALID} where the client refuses its
   *     settings
   */
  TopicLog(Map<String, String> kafka) {
    settings = new HashMap<>(kafka);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 2000);
    settings.putIfAbsent(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 8 << 20);
    try {
      patience = patience(settings);
      bytes = PollBytes.of(settings);
      consumer = new KafkaConsumer<>(settings, bytes.deserializer(), bytes.deserializer());
    } catch (KafkaException refused) {
      throw RefusedSettings.of(refused);
    }
  }

  private static Duration patience(Map<String, Object> settings) {
    Object millis =
        settings.getOrDefault(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, DEFAULT_PATIENCE_MILLIS);
    return Duration.ofMillis(
        (Integer)
            ConfigDef.parseType(
                ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, millis, ConfigDef.Type.INT));
  }

  /**
   * Partitions of the topics with their extents; the group's offset is {@code from} where it has
   * none.
   */
  SortedMap<TopicPartition, Extent> extents(Topics topics, String group)
      throws ExecutionException, InterruptedException {
    Map<org.apache.kafka.common.TopicPartition, OffsetAndMetadata> committed = committed(group);
    SortedMap<TopicPartition, Extent> extents = new TreeMap<>();
    bounds(topics::includes)
        .forEach(
            (partition, bounds) -> {
              OffsetAndMetadata offset = committed.get(kafkas(partition));
              long to = offset == null ? bounds.from() : Math.max(bounds.from(), offset.offset());
              // A topic that was made anew may end before what the group has committed.
              long readable = Math.min(to, bounds.end());
              extents.put(partition, new Extent(bounds.from(), readable, bounds.end()));
            });
    return extents;
  }

  /** Whole partitions. */
  private SortedMap<TopicPartition, Extent> bounds(Predicate<String> wanted) {
    List<org.apache.kafka.common.TopicPartition> partitions =
        consumer.listTopics(patience).entrySet().stream()
            .filter(topic -> wanted.test(topic.getKey()))
            .flatMap(topic -> topic.getValue().stream())
            .map(each -> new org.apache.kafka.common.TopicPartition(each.topic(), each.partition()))
            .toList();
    Map<org.apache.kafka.common.TopicPartition, Long> beginnings =
        consumer.beginningOffsets(partitions, patience);
    Map<org.apache.kafka.common.TopicPartition, Long> ends =
        consumer.endOffsets(partitions, patience);
    SortedMap<TopicPartition, Extent> bounds = new TreeMap<>();
    for (org.apache.kafka.common.TopicPartition partition : partitions) {
      long from = beginnings.getOrDefault(partition, 0L);
      long end = ends.getOrDefault(partition, from);
      bounds.put(
          new TopicPartition(partition.topic(), partition.partition()), new Extent(from, end, end));
    }
    return bounds;
  }

  private static org.apache.kafka.common.TopicPartition kafkas(TopicPartition partition) {
    return new org.apache.kafka.common.TopicPartition(partition.topic(), partition.partition());
  }

  private Map<org.apache.kafka.common.TopicPartition, OffsetAndMetadata> committed(String group)
      throws ExecutionException, InterruptedException {
    Admin admin = Admin.create(settings);
    try {
      return admin
          .listConsumerGroupOffsets(group)
          .partitionsToOffsetAndMetadata()
          .get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException noAnswer) {
      throw new org.apache.kafka.common.errors.TimeoutException(
          "the offsets of group %s did not come in %d s; run it again"
              .formatted(group, patience.toSeconds()),
          noAnswer);
    } finally {
      admin.close(Duration.ZERO); // else it waits for an answer that does not come
    }
  }

  /** What is done with each portion of a partition. */
  interface Portion {
    void read(List<Event> events);
  }

  /**
   * Reads a partition's events from {@code from}, inclusive, to {@code to}, exclusive.
   *
   * @throws KafkaException where the broker can't be asked, or nothing comes for as long as it may
   */
  void read(TopicPartition partition, long from, long to, Portion portion) {
    read(
        kafkas(partition),
        from,
        to,
        records -> portion.read(records.stream().map(KafkaEvents::of).toList()));
  }

  private void read(
      org.apache.kafka.common.TopicPartition partition,
      long from,
      long to,
      java.util.function.Consumer<List<ConsumerRecord<byte[], byte[]>>> portion) {
    consumer.assign(List.of(partition));
    consumer.seek(partition, from);
    long position = from;
    long moved = System.nanoTime();
    while (position < to) {
      bytes.beginPoll();
      List<ConsumerRecord<byte[], byte[]>> polled = consumer.poll(POLL).records(partition);
      portion.accept(polled.stream().filter(record -> record.offset() < to).toList());
      long next = consumer.position(partition, patience);
      long now = System.nanoTime();
      if (next != position) {
        moved = now;
      } else if (now - moved > patience.toNanos()) {
        // The client says nothing of a broker that is gone, and polls in vain for ever.
        throw new org.apache.kafka.common.errors.TimeoutException(
            "nothing came of %s from offset %d on in %d s; run it again"
                .formatted(partition, position, patience.toSeconds()));
      }
      position = next;
    }
  }

  /**
   * Which events the letters in a dead-letter topic are about.
   *
   * @param group whose letters count
   */
  Letters letters(String topic, String group) {
    SortedMap<TopicPartition, Extent> bounds = bounds(topic::equals);
    if (bounds.isEmpty()) {
      throw new IngestException(
          Code.TOPIC_MISSING,
          "ingest.errors.dead-letter-topic=" + topic + " does not exist; mend the setting.");
    }
    Letters letters = new Letters();
    bounds.forEach(
        (partition, extent) ->
            read(
                kafkas(partition),
                extent.from(),
                extent.end(),
                records ->
                    records.forEach(
                        record ->
                            DeadLetterPlace.of(record.headers(), group).ifPresent(letters::add))));
    return letters;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
