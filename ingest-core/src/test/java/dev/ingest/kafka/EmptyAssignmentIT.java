package dev.ingest.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.EventSource;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.TestTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmptyAssignmentIT {
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void aMemberWithoutPartitionsIsToldThatItHasNone(String protocol, TestTopics topics) {
    String topic = topics.createTopic(1);
    String group = topics.uniqueName();
    Assignments first = new Assignments();
    Assignments second = new Assignments();
    Map<String, String> kafka =
        Map.of("bootstrap.servers", topics.bootstrap(), "group.protocol", protocol);

    try (EventSource one = new KafkaEventSource(kafka, group, Subscription.to(topic));
        EventSource other = new KafkaEventSource(kafka, group, Subscription.to(topic))) {
      one.subscribe(first);
      other.subscribe(second);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                one.poll(Duration.ofMillis(50));
                other.poll(Duration.ofMillis(50));
                return !first.told.isEmpty() && !second.told.isEmpty();
              });
    }

    List<TopicPartition> all = new ArrayList<>();
    first.told.forEach(all::addAll);
    second.told.forEach(all::addAll);
    assertThat(all).containsOnly(new TopicPartition(topic, 0));
  }

  private static final class Assignments implements EventSource.Listener {
    private final List<Collection<TopicPartition>> told = new ArrayList<>();

    @Override
    public void assigned(Collection<TopicPartition> partitions) {
      told.add(List.copyOf(partitions));
    }

    @Override
    public void revoked(Collection<TopicPartition> partitions) {}

    @Override
    public void lost(Collection<TopicPartition> partitions) {}
  }
}
