package dev.ingest.kafka;

import dev.ingest.event.Header;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Writes single records to topics; {@link #write} returns when all in-sync replicas have the
 * record. The producer is idempotent: what it sends again by itself stands in the topic once, in
 * order. Thread-safe; records of several threads share requests.
 */
public final class TopicWriter implements AutoCloseable {
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  private final Producer<byte[], byte[]> producer;

  /**
   * @param kafka settings of the Kafka clients as they document them
   * @throws dev.ingest.event.IngestException where the client refuses its settings
   */
  public TopicWriter(Map<String, String> kafka) {
    try {
      this.producer = new KafkaProducer<>(ProducerConfigs.of(kafka));
    } catch (KafkaException refused) {
      throw RefusedSettings.of(refused);
    }
  }

  /**
   * Blocks for 30 s at most.
   *
   * @throws KafkaException where no acknowledgement came; the record may be there nevertheless, and
   *     writing it again is another record
   */
  public void write(String topic, byte[] key, byte @Nullable [] value, List<Header> headers)
      throws InterruptedException {
    ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, key, value);
    headers.forEach(header -> record.headers().add(header.name(), header.value()));
    try {
      producer.send(record).get();
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof KafkaException kafka ? kafka : new KafkaException(failed);
    }
  }

  @Override
  public void close() {
    producer.close(CLOSE_TIMEOUT);
  }
}
