package dev.ingest.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(KafkaExtension.class)
class KafkaServerIT {
  @Test
  void recordsLandWhereTheyWereSent(TestTopics topics) {
    String topic = topics.createTopic(3);

    topics.send(topic, 0, "a", "1");
    topics.send(topic, 2, "b", null, Map.of("h", "x"));
    topics.send(topic, 2, null, "3");

    assertThat(topics.endOffsets(topic)).isEqualTo(Map.of(0, 1L, 1, 0L, 2, 2L));
  }

  @Test
  void lagIsWhatTheGroupHasNotCommitted(TestTopics topics) {
    String topic = topics.createTopic(2);
    String group = topics.uniqueName();
    topics.send(topic, 0, "a", "1");
    topics.send(topic, 0, "b", "2");
    topics.send(topic, 1, "c", "3");

    topics.commit(group, topic, Map.of(0, 1L));

    assertThat(topics.committedOffsets(group, topic)).isEqualTo(Map.of(0, 1L));
    assertThat(topics.lag(group, topic)).isEqualTo(2);
  }

  @Test
  void stoppedBrokerComesBackWithItsRecords() {
    try (KafkaServer server = KafkaServer.dedicated(Map.of())) {
      String topic;
      try (TestTopics topics = new TestTopics(server, "restart")) {
        topic = topics.createTopic(1);
        topics.send(topic, 0, "a", "1");
      }

      server.stop();
      server.start();

      try (TestTopics topics = new TestTopics(server, "restart")) {
        assertThat(topics.endOffsets(topic)).isEqualTo(Map.of(0, 1L));
        assertThat(topics.send(topic, 0, "a", "2").offset()).isEqualTo(1);
      }
    }
  }

  @Test
  void clientsOfABrokerBehindAProxyFeelItsNetwork() {
    try (TcpProxy proxy = TcpProxy.to(0);
        KafkaServer server = KafkaServer.dedicatedBehind(proxy, Map.of());
        TestTopics topics = new TestTopics(server, "proxied")) {
      String topic = topics.createTopic(1);
      proxy.freeze();

      CompletableFuture<RecordMetadata> sent =
          CompletableFuture.supplyAsync(() -> topics.send(topic, 0, "a", "1"));

      assertThatThrownBy(() -> sent.get(1, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
      proxy.thaw();
      assertThat(sent)
          .succeedsWithin(Duration.ofSeconds(20))
          .extracting(RecordMetadata::offset)
          .isEqualTo(0L);
    }
  }

  @Test
  void topicsOfTwoTestsNeverMeet(TestTopics topics) {
    assertThat(List.of(topics.createTopic(1), topics.createTopic(1))).doesNotHaveDuplicates();
  }
}
