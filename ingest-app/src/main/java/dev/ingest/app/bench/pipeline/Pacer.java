package dev.ingest.app.bench.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.app.bench.BenchClock;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sends events at an even pace. Each carries the moment at which it should have been sent, whether
 * or not the sender kept up: a stall is part of the latency of all events that it held back.
 */
final class Pacer {
  private final BenchClock clock;
  private final String bootstrap;
  private final String topic;
  private final double perSecond;
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

  Pacer(BenchClock clock, String bootstrap, String topic, double perSecond) {
    this.clock = clock;
    this.bootstrap = bootstrap;
    this.topic = topic;
    this.perSecond = perSecond;
  }

  /**
   * Sends them all; returns when they are acknowledged.
   *
   * @param inVain whether nobody reads them any more; the rest is not sent then
   * @return when the first one was due, in the clock's microseconds
   */
  long send(long events, long seed, BooleanSupplier inVain) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<String, Object> settings = Map.of("bootstrap.servers", bootstrap, "acks", "all");
    try (Producer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      producer.partitionsFor(topic);
      long start = clock.micros() + 10_000;
      for (long i = 0; i < events && !inVain.getAsBoolean(); i++) {
        long due = start + (long) (i * 1e6 / perSecond);
        awaitDue(due);
        String key = new UUID(random.nextLong(), random.nextLong()).toString();
        var unused = // the callback sees the outcome
            producer.send(
                new ProducerRecord<>(topic, key, event(key, due, random)),
                (acknowledged, refused) -> {
                  if (refused != null) {
                    failure.compareAndSet(null, refused);
                  }
                });
      }
      producer.flush();
      Exception refused = failure.get();
      if (refused != null) {
        throw new IngestException(Code.KAFKA_UNAVAILABLE, "a record was refused.", refused);
      }
      return start;
    }
  }

  private void awaitDue(long due) {
    for (long left = due - clock.micros(); left > 0; left = due - clock.micros()) {
      LockSupport.parkNanos(left * 1000);
    }
  }

  /** About 200 bytes. */
  private static String event(String key, long due, SplittableRandom random) {
    byte[] filler = new byte[40];
    for (int i = 0; i < filler.length; i++) {
      filler[i] = (byte) ('a' + random.nextInt(26));
    }
    return "{\"id\": \"%s\", \"sent\": %d, \"device\": \"sensor-%d\", \"note\": \"%s\", \"status\": \"ok\"}"
        .formatted(key, due, 10_000 + random.nextInt(20_000), new String(filler, UTF_8));
  }
}
