package dev.ingest.testkit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Topics, records and offsets on a test broker, with names nobody else uses. Every call waits for
 * the broker's answer, half a minute at most. Thread-safe.
 */
public final class TestTopics implements AutoCloseable {
  private static final AtomicInteger NAMES = new AtomicInteger();
  private static final long DEADLINE_SECONDS = 30;

  private final String bootstrap;
  private final String prefix;
  private final Admin admin;
  private final Producer<byte[], byte[]> producer;

  /** For a dedicated broker; tests with the shared one get theirs from {@link KafkaExtension}. */
  public TestTopics(KafkaServer server, String prefix) {
    this.bootstrap = server.bootstrap();
    this.prefix = prefix + "-" + ProcessHandle.current().pid();
    this.admin = Admin.create(Map.of("bootstrap.servers", bootstrap));
    this.producer = producer(Map.of());
  }

  public String bootstrap() {
    return bootstrap;
  }

  public Admin admin() {
    return admin;
  }

  /** A group id or topic name that no other test uses. */
  public String uniqueName() {
    return prefix + "-" + NAMES.incrementAndGet();
  }

  /** Makes an empty topic and returns its name. */
  public String createTopic(int partitions) {
    return createTopic(partitions, Map.of());
  }

  /** Makes an empty topic with topic settings and returns its name. */
  public String createTopic(int partitions, Map<String, String> settings) {
    String topic = uniqueName();
    createTopic(topic, partitions, settings);
    return topic;
  }

  /** Makes an empty topic of a given name. */
  public void createTopic(String topic, int partitions, Map<String, String> settings) {
    get(
        admin
            .createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(settings)))
            .all());
  }

  /** Sends one record with text key and value and returns its place. */
  public RecordMetadata send(
      String topic, int partition, @Nullable String key, @Nullable String value) {
    return send(topic, partition, key, value, Map.of());
  }

  /** Sends one record with text key, value and headers and returns its place. */
  public RecordMetadata send(
      String topic,
      int partition,
      @Nullable String key,
      @Nullable String value,
      Map<String, String> headers) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, partition, bytes(key), bytes(value));
    headers.forEach(
        (name, text) -> record.headers().add(name, text.getBytes(StandardCharsets.UTF_8)));
    return send(List.of(record)).get(0);
  }

  /** Sends any number of records, in order for each partition, and returns their places. */
  public List<RecordMetadata> send(List<ProducerRecord<byte[], byte[]>> records) {
    return send(producer, records.stream());
  }

  /** Sends records as they are made, by a producer with settings of its own. */
  public List<RecordMetadata> send(
      Map<String, Object> settings, Stream<ProducerRecord<byte[], byte[]>> records) {
    try (Producer<byte[], byte[]> own = producer(settings)) {
      return send(own, records);
    }
  }

  private static List<RecordMetadata> send(
      Producer<byte[], byte[]> producer, Stream<ProducerRecord<byte[], byte[]>> records) {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    records.forEachOrdered(record -> sent.add(producer.send(record)));
    producer.flush();
    return sent.stream().map(TestTopics::get).toList();
  }

  /**
   * A producer of the caller's own, for instance with a {@code transactional.id}. Close it; what it
   * could not send is told by its futures alone.
   */
  public Producer<byte[], byte[]> producer(Map<String, Object> settings) {
    Map<String, Object> all =
        new TreeMap<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrap,
                ProducerConfig.LINGER_MS_CONFIG,
                0,
                // A busy broker that has just made a topic may refuse the first request and take
                // the second; the first then is out of sequence for ever.
                ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
                1));
    all.putAll(settings);
    return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Commits a group's next offsets, by partition number, of a group without members. */
  public void commit(String group, String topic, Map<Integer, Long> nextOffsets) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    nextOffsets.forEach(
        (partition, offset) ->
            offsets.put(new TopicPartition(topic, partition), new OffsetAndMetadata(offset)));
    get(admin.alterConsumerGroupOffsets(group, offsets).all());
  }

  /**
   * Next offsets that a group committed, by partition number of the topic; partitions without a
   * commit are absent.
   */
  public Map<Integer, Long> committedOffsets(String group, String topic) {
    Map<Integer, Long> offsets = new TreeMap<>();
    get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
        .forEach(
            (partition, offset) -> {
              if (offset != null && partition.topic().equals(topic)) {
                offsets.put(partition.partition(), offset.offset());
              }
            });
    return offsets;
  }

  /** Offsets that the next records will get, by partition number. */
  public Map<Integer, Long> endOffsets(String topic) {
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    get(admin.describeTopics(List.of(topic)).allTopicNames())
        .get(topic)
        .partitions()
        .forEach(
            partition ->
                latest.put(new TopicPartition(topic, partition.partition()), OffsetSpec.latest()));
    Map<Integer, Long> offsets = new TreeMap<>();
    get(admin.listOffsets(latest).all())
        .forEach((partition, offset) -> offsets.put(partition.partition(), offset.offset()));
    return offsets;
  }

  /** Records the group has still to commit. */
  public long lag(String group, String topic) {
    Map<Integer, Long> committed = committedOffsets(group, topic);
    return endOffsets(topic).entrySet().stream()
        .mapToLong(end -> end.getValue() - committed.getOrDefault(end.getKey(), 0L))
        .sum();
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(5));
    admin.close(Duration.ofSeconds(5));
  }

  private static byte @Nullable [] bytes(@Nullable String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  private static <T> T get(KafkaFuture<T> future) {
    return get(future.toCompletionStage().toCompletableFuture());
  }

  private static <T> T get(Future<T> future) {
    try {
      return future.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("Kafka refused: " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException("Kafka did not answer within " + DEADLINE_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }
}
