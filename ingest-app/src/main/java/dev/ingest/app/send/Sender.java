package dev.ingest.app.send;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.event.Event;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import dev.ingest.event.TopicPartition;
import dev.ingest.kafka.RefusedSettings;
import dev.ingest.plan.KeyPart;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Sends lines to a topic, each acknowledged by all replicas. Single-threaded. */
public final class Sender implements AutoCloseable {
  /** How many sent records are remembered to be repeated. */
  private static final int REMEMBERED = 10_000;

  private final SendPlan plan;
  private final @Nullable KeyPart key;
  private final Producer<byte[], byte[]> producer;
  private final int partitions;
  private final SplittableRandom random;
  private final List<ProducerRecord<byte[], byte[]>> remembered = new ArrayList<>();
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private long sent;
  private long repeated;

  /** What was sent, all of it acknowledged. */
  public record Result(long records, long repeated) {}

  /**
   * @param kafka settings of the Kafka clients
   * @throws IngestException where the client refuses its settings, the topic does not exist or no
   *     broker answers
   */
  public Sender(Map<String, String> kafka, SendPlan plan) {
    this(producer(kafka), plan);
  }

  /**
   * @param producer closed by this sender, also where this throws
   */
  Sender(Producer<byte[], byte[]> producer, SendPlan plan) {
    this.plan = plan;
    this.key = plan.keyPointer() == null ? null : KeyPart.json(plan.keyPointer());
    this.random = new SplittableRandom(plan.seed());
    this.producer = producer;
    this.partitions = partitions();
  }

  private static Producer<byte[], byte[]> producer(Map<String, String> kafka) {
    Map<String, Object> settings = new HashMap<>(kafka);
    settings.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, 5);
    settings.putIfAbsent(ProducerConfig.BATCH_SIZE_CONFIG, 1 << 17);
    settings.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, 15_000);
    // A broker that has just made the topic may refuse the first request and take the second; the
    // first then is out of sequence for ever.
    settings.putIfAbsent(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    try {
      return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    } catch (KafkaException refused) {
      throw RefusedSettings.of(refused);
    }
  }

  private int partitions() {
    try {
      return producer.partitionsFor(plan.topic()).size();
    } catch (KafkaException unknown) {
      producer.close(Duration.ZERO);
      throw new IngestException(
          Code.KAFKA_UNAVAILABLE,
          "topic="
              + plan.topic()
              + " can't be reached: "
              + unknown.getMessage()
              + " Does the topic exist, and is ingest.kafka.bootstrap.servers right?",
          unknown);
    }
  }

  /**
   * Sends the input as often as the plan says and waits until all of it is acknowledged.
   *
   * @param lines opens the input anew; blank lines are passed over
   * @param progress told of the number of records sent so far, now and then
   * @throws IngestException where the input can't be read, a line has no key, or the broker refuses
   *     a record
   */
  public Result send(Supplier<Stream<String>> lines, LongConsumer progress) {
    for (int round = 0; round < plan.repeat(); round++) {
      try (Stream<String> input = lines.get()) {
        long number = 0;
        for (Iterator<String> each = input.iterator(); each.hasNext(); ) {
          String line = each.next();
          number++;
          if (!line.isBlank()) {
            send(line, number);
            repeatSome();
            progress.accept(sent);
          }
        }
      } catch (UncheckedIOException unreadable) {
        throw new IngestException(
            Code.CONFIG_INVALID,
            "the input can't be read as UTF-8 text: "
                + unreadable.getCause()
                + ". "
                + sent
                + " records are sent; mend the input.",
            unreadable);
      }
    }
    producer.flush();
    throwFailure();
    return new Result(sent, repeated);
  }

  private void send(String line, long number) {
    byte[] value = line.getBytes(UTF_8);
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(plan.topic(), partition(), key(value, number), value);
    remember(record);
    send(record);
  }

  private byte @Nullable [] key(byte[] value, long number) {
    if (key == null) {
      return null;
    }
    KeyPart.Found found =
        key.find(new Event(new TopicPartition(plan.topic(), 0), 0, -1, null, value, List.of()));
    if (found instanceof KeyPart.Found.Text text) {
      return text.value().getBytes(UTF_8);
    }
    throw new IngestException(
        Code.BAD_EVENT,
        "line "
            + number
            + " has no key: "
            + ((KeyPart.Found.Nothing) found).reason()
            + ". "
            + sent
            + " records before it are sent; mend the line or choose another --key.");
  }

  private @Nullable Integer partition() {
    return plan.scatter() ? random.nextInt(partitions) : null;
  }

  /** Keeps the share of repeated records at what the plan says. */
  private void repeatSome() {
    while ((repeated + 1) * 100 <= (sent + 1) * plan.duplicatesPercent()) {
      ProducerRecord<byte[], byte[]> again = remembered.get(random.nextInt(remembered.size()));
      send(new ProducerRecord<>(again.topic(), partition(), again.key(), again.value()));
      repeated++;
    }
  }

  private void remember(ProducerRecord<byte[], byte[]> record) {
    if (plan.duplicatesPercent() == 0) {
      return;
    }
    if (remembered.size() < REMEMBERED) {
      remembered.add(record);
    } else {
      remembered.set(random.nextInt(REMEMBERED), record);
    }
  }

  private void send(ProducerRecord<byte[], byte[]> record) {
    throwFailure();
    var unused = // the callback sees the outcome
        producer.send(
            record,
            (acknowledged, refused) -> {
              if (refused != null) {
                failure.compareAndSet(null, refused);
              }
            });
    sent++;
  }

  private void throwFailure() {
    Exception refused = failure.get();
    if (refused != null) {
      throw new IngestException(
          Code.KAFKA_UNAVAILABLE,
          "a record was refused: "
              + refused.getMessage()
              + " Send the input again; repeats do no harm.",
          refused);
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
