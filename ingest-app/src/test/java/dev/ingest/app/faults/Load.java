package dev.ingest.app.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.testkit.TestTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A steady stream of events into one topic, a fifth of them with a key that was there shortly
 * before, perhaps on another partition. Which ones follows from the seed. {@link #go} and {@link
 * #halt} by one thread, the numbers from any.
 */
final class Load implements AutoCloseable {
  static final int EVENTS_PER_SECOND = 1000;

  private static final int TICK_MILLIS = 50;
  private static final int EVENTS_PER_TICK = EVENTS_PER_SECOND * TICK_MILLIS / 1000;
  private static final int DUPLICATES_PERCENT = 20;
  private static final int RECENT_KEYS = 2000;

  private final String topic;
  private final int partitions;
  private final SplittableRandom random;
  private final Producer<byte[], byte[]> producer;
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final List<Future<?>> unacknowledged = new ArrayList<>(); // by the clock's thread
  private final AtomicLong records = new AtomicLong();
  private final AtomicLong keys = new AtomicLong();
  private @Nullable ScheduledFuture<?> ticks;

  Load(TestTopics topics, String topic, int partitions, long seed) {
    this.topic = topic;
    this.partitions = partitions;
    this.random = new SplittableRandom(seed);
    this.producer = topics.producer(Map.of());
  }

  void go() {
    ticks = clock.scheduleAtFixedRate(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void tick() {
    for (int i = 0; i < EVENTS_PER_TICK; i++) {
      unacknowledged.add(producer.send(next()));
      records.incrementAndGet();
    }
  }

  private ProducerRecord<byte[], byte[]> next() {
    long known = keys.get();
    boolean again = known > 0 && random.nextInt(100) < DUPLICATES_PERCENT;
    long key =
        again ? known - 1 - random.nextLong(Math.min(known, RECENT_KEYS)) : keys.getAndIncrement();
    return new ProducerRecord<>(
        topic,
        random.nextInt(partitions),
        ("key-" + key).getBytes(UTF_8),
        ("{\"key\":" + key + ",\"celsius\":" + random.nextInt(-20, 45) + "}").getBytes(UTF_8));
  }

  /** Sends no more and returns once the broker has everything; fails where it refused a record. */
  void halt() throws Exception {
    ScheduledFuture<?> running = ticks;
    if (running == null) {
      return;
    }
    ticks = null;
    if (!running.cancel(false)) {
      running.get(); // ended by what it threw
    }
    clock
        .submit(
            () -> {
              producer.flush();
              for (Future<?> each : unacknowledged) {
                each.get();
              }
              unacknowledged.clear();
              return null;
            })
        .get(2, TimeUnit.MINUTES);
  }

  /** Events sent so far. */
  long records() {
    return records.get();
  }

  /** Distinct keys among them: {@code key-0} and all that follow. */
  long keys() {
    return keys.get();
  }

  @Override
  public void close() {
    clock.shutdownNow();
    producer.close(Duration.ZERO);
  }
}
