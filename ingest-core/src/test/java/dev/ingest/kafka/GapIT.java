package dev.ingest.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.ingest.event.IngestException;
import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.EventSource;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.TestTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GapIT {
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void stopsWithTheExactGapOfEveryPartition(String protocol, TestTopics topics) throws Exception {
    String topic = topics.createTopic(3);
    String group = groupAt(topics, topic, Map.of(0, 2L, 1, 3L, 2, 4L));
    deleteBefore(topics, topic, Map.of(0, 7L, 2, 6L));

    IngestException stopped =
        catchThrowableOfType(
            IngestException.class,
            () -> pollUntilStopped(source(topics, topic, group, protocol, GapPolicy.STOP)));

    assertThat(stopped.code()).isEqualTo(IngestException.Code.OFFSETS_OUT_OF_RANGE);
    assertThat(stopped)
        .hasMessageContaining(topic + "-0 nextOffset=2 logStart=7 logEnd=10 gone=5;")
        .hasMessageContaining(topic + "-2 nextOffset=4 logStart=6 logEnd=10 gone=2.")
        .hasMessageNotContaining(topic + "-1 ");
  }

  @Test
  void goesOnWithWhatIsThereWhenTheGapIsAccepted(TestTopics topics) throws Exception {
    String topic = topics.createTopic(1);
    String group = groupAt(topics, topic, Map.of(0, 2L));
    deleteBefore(topics, topic, Map.of(0, 7L));
    List<Gap> told = new ArrayList<>();

    try (EventSource source = source(topics, topic, group, "classic", told::addAll)) {
      List<Long> offsets = new ArrayList<>();
      await()
          .atMost(DEADLINE)
          .until(
              () -> {
                source.poll(Duration.ofMillis(100)).events().forEach(e -> offsets.add(e.offset()));
                return offsets.size() >= 3;
              });

      assertThat(offsets).containsExactly(7L, 8L, 9L);
    }

    assertThat(told).containsExactly(new Gap(new TopicPartition(topic, 0), 2, 7, 10));
  }

  @Test
  void asksAgainWhileTheGapCannotBeRecorded(TestTopics topics) throws Exception {
    String topic = topics.createTopic(1);
    String group = groupAt(topics, topic, Map.of(0, 2L));
    deleteBefore(topics, topic, Map.of(0, 7L));
    List<Gap> told = new ArrayList<>();
    GapPolicy secondTime = gaps -> told.addAll(gaps) && told.size() > 1;

    try (EventSource source = source(topics, topic, group, "classic", secondTime)) {
      await().atMost(DEADLINE).until(() -> !source.poll(Duration.ofMillis(100)).events().isEmpty());
    }

    assertThat(told).hasSize(2);
  }

  @Test
  void stopsWhereTheTopicWasMadeAgainAndIsShorter(TestTopics topics) throws Exception {
    String topic = topics.createTopic(1);
    String group = groupAt(topics, topic, Map.of(0, 42L));

    IngestException stopped =
        catchThrowableOfType(
            IngestException.class,
            () -> pollUntilStopped(source(topics, topic, group, "classic", GapPolicy.STOP)));

    assertThat(stopped)
        .hasMessageContaining("nextOffset=42 logStart=0 logEnd=10 (the topic was made again");
  }

  /** Fills each partition with ten records and lets a group have read so far. */
  private static String groupAt(TestTopics topics, String topic, Map<Integer, Long> nextOffsets) {
    String group = topics.uniqueName();
    topics.endOffsets(topic).keySet().forEach(partition -> fill(topics, topic, partition));
    topics.commit(group, topic, nextOffsets);
    return group;
  }

  private static void fill(TestTopics topics, String topic, int partition) {
    for (int i = 0; i < 10; i++) {
      topics.send(topic, partition, "key-" + i, "{}");
    }
  }

  private static void deleteBefore(TestTopics topics, String topic, Map<Integer, Long> offsets)
      throws Exception {
    for (Map.Entry<Integer, Long> each : offsets.entrySet()) {
      topics
          .admin()
          .deleteRecords(
              Map.of(
                  new org.apache.kafka.common.TopicPartition(topic, each.getKey()),
                  RecordsToDelete.beforeOffset(each.getValue())))
          .all()
          .get(30, TimeUnit.SECONDS);
    }
  }

  private static void pollUntilStopped(EventSource source) {
    try (source) {
      await()
          .atMost(DEADLINE)
          .until(
              () -> {
                source.poll(Duration.ofMillis(100));
                return false;
              });
    }
  }

  private static EventSource source(
      TestTopics topics, String topic, String group, String protocol, GapPolicy policy) {
    EventSource source =
        new KafkaEventSource(
            Map.of("bootstrap.servers", topics.bootstrap(), "group.protocol", protocol),
            group,
            Subscription.to(topic),
            policy);
    source.subscribe(new Deaf());
    return source;
  }

  private static final class Deaf implements EventSource.Listener {
    @Override
    public void assigned(Collection<TopicPartition> partitions) {}

    @Override
    public void revoked(Collection<TopicPartition> partitions) {}

    @Override
    public void lost(Collection<TopicPartition> partitions) {}
  }
}
