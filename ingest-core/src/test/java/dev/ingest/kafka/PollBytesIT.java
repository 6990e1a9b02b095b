package dev.ingest.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.EventSource;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.TestTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events that are a thousand times as large as what the broker keeps of them. */
class PollBytesIT {
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  private static final int EVENTS = 60;
  private static final int EVENT_BYTES = 64 << 10;
  private static final int BOUND = 256 << 10;
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void eachPollKeepsToTheBoundAndEveryEventComesOnceInOrder(String protocol, TestTopics topics) {
    String topic = topics.createTopic(2);
    send(topics, topic);
    Map<TopicPartition, List<Long>> offsets = new TreeMap<>();
    int polls = 0;
    long deadline = System.nanoTime() + DEADLINE.toNanos();

    try (EventSource source = source(topics, topic, protocol)) {
      while (events(offsets) < 2 * EVENTS && System.nanoTime() < deadline) {
        List<Event> polled = source.poll(Duration.ofMillis(100)).events();
        assertThat(polled.stream().mapToLong(event -> event.value().length).sum())
            .isLessThanOrEqualTo(BOUND);
        polled.forEach(
            event ->
                offsets
                    .computeIfAbsent(event.partition(), each -> new ArrayList<>())
                    .add(event.offset()));
        if (!polled.isEmpty() && polls++ % 3 == 0) {
          source.pauseAll();
          assertThat(source.poll(Duration.ZERO).events()).isEmpty();
          source.resumeAll();
        }
      }
    }

    assertThat(offsets).hasSize(2);
    assertThat(offsets.values())
        .allSatisfy(
            each -> assertThat(each).isEqualTo(LongStream.range(0, EVENTS).boxed().toList()));
  }

  private static int events(Map<TopicPartition, List<Long>> offsets) {
    return offsets.values().stream().mapToInt(List::size).sum();
  }

  private static void send(TestTopics topics, String topic) {
    byte[] value = new byte[EVENT_BYTES];
    Arrays.fill(value, (byte) 'x');
    topics.send(
        Map.of("compression.type", "gzip", "linger.ms", 50),
        IntStream.range(0, 2 * EVENTS)
            .mapToObj(
                i -> new ProducerRecord<>(topic, i % 2, ("key-" + i).getBytes(UTF_8), value)));
  }

  private static EventSource source(TestTopics topics, String topic, String protocol) {
    EventSource source =
        new KafkaEventSource(
            Map.of(
                "bootstrap.servers",
                topics.bootstrap(),
                "group.protocol",
                protocol,
                "fetch.max.bytes",
                Integer.toString(BOUND)),
            topics.uniqueName(),
            Subscription.to(topic));
    source.subscribe(
        new EventSource.Listener() {
          @Override
          public void assigned(Collection<TopicPartition> partitions) {}

          @Override
          public void revoked(Collection<TopicPartition> partitions) {}

          @Override
          public void lost(Collection<TopicPartition> partitions) {}
        });
    return source;
  }
}
