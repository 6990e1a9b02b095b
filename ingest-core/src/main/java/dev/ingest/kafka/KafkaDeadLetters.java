package dev.ingest.kafka;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import dev.ingest.pipeline.DeadLetters;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.RejectedEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/**
 * Sends events that can't be stored to a topic, and waits until all in-sync replicas have them. An
 * event too large for the topic is represented by a record that refers to it. Connects with the
 * first letter. Owned by one thread; another may close it once that one has ended.
 */
public final class KafkaDeadLetters implements DeadLetters {
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  private final Supplier<Producer<byte[], byte[]>> producers;
  private final String topic;
  private final String group;
  private volatile @Nullable Producer<byte[], byte[]> producer;

  /**
   * @param kafka settings of the Kafka clients as they document them
   * @param topic where letters are sent; it exists
   * @param group the group that reads the events, named in the letters
   * @throws IngestException where the client refuses its settings
   */
  public KafkaDeadLetters(Map<String, String> kafka, String topic, String group) {
    this(producers(ProducerConfigs.of(kafka)), topic, group);
  }

  KafkaDeadLetters(Supplier<Producer<byte[], byte[]>> producers, String topic, String group) {
    this.producers = producers;
    this.topic = topic;
    this.group = group;
  }

  private static Supplier<Producer<byte[], byte[]>> producers(Map<String, Object> settings) {
    try {
      var unused = new ProducerConfig(settings); // checks them before the first letter
    } catch (KafkaException refused) {
      throw new IngestException(
          Code.CONFIG_INVALID,
          "the Kafka client refuses its settings: "
              + refused.getMessage()
              + ". Mend ingest.kafka.*",
          refused);
    }
    return () -> new KafkaProducer<>(settings);
  }

  @Override
  public void keep(String route, List<RejectedEvent> rejected) {
    List<RejectedEvent> tooLarge = send(rejected, each -> letter(route, each));
    List<RejectedEvent> refused =
        send(tooLarge, each -> DeadLetter.reference(topic, group, route, each));
    if (!refused.isEmpty()) {
      throw new StoreFault(
          FaultKind.ENVIRONMENT,
          null,
          "dead-letter topic=" + topic + " takes no record of a few KiB; raise max.message.bytes",
          null);
    }
  }

  private ProducerRecord<byte[], byte[]> letter(String route, RejectedEvent rejected) {
    return rejected.event().isReference()
        ? DeadLetter.reference(topic, group, route, rejected)
        : DeadLetter.whole(topic, group, route, rejected);
  }

  /** Sends all, then waits for all; returns those that are too large. */
  private List<RejectedEvent> send(
      List<RejectedEvent> events, Function<RejectedEvent, ProducerRecord<byte[], byte[]>> letter) {
    if (events.isEmpty()) {
      return List.of();
    }
    try {
      List<Future<RecordMetadata>> sent = new ArrayList<>(events.size());
      for (RejectedEvent each : events) {
        sent.add(open().send(letter.apply(each)));
      }
      List<RejectedEvent> tooLarge = new ArrayList<>();
      for (int i = 0; i < sent.size(); i++) {
        if (!isKept(sent.get(i))) {
          tooLarge.add(events.get(i));
        }
      }
      return tooLarge;
    } catch (InterruptException stopped) {
      throw new StoreFault(FaultKind.CONNECTION, null, "interrupted", stopped);
    } catch (KafkaException failed) {
      throw fault(failed);
    }
  }

  private static boolean isKept(Future<RecordMetadata> sent) {
    try {
      sent.get();
      return true;
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RecordTooLargeException) {
        return false;
      }
      throw failed.getCause() instanceof KafkaException kafka ? kafka : new KafkaException(failed);
    } catch (InterruptedException stopped) {
      throw new InterruptException(stopped);
    }
  }

  /** A producer that failed for another reason than time may be of no more use. */
  private StoreFault fault(KafkaException failed) {
    boolean willPass = failed instanceof RetriableException;
    if (!willPass) {
      close();
    }
    return new StoreFault(
        willPass ? FaultKind.CONNECTION : FaultKind.ENVIRONMENT,
        null,
        "dead-letter topic=" + topic + " is not written: " + failed.getMessage(),
        failed);
  }

  private Producer<byte[], byte[]> open() {
    Producer<byte[], byte[]> opened = producer;
    if (opened == null) {
      opened = producers.get();
      producer = opened;
    }
    return opened;
  }

  @Override
  public void close() {
    Producer<byte[], byte[]> closing = producer;
    producer = null;
    if (closing != null) {
      closing.close(CLOSE_TIMEOUT);
    }
  }
}
