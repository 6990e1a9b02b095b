package dev.ingest.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.testkit.TestTopics;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.MemberDescription;

/** A consumer group as the broker sees it. It is named like the one topic that it reads. */
public record Group(TestTopics topics, String topic) {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** Waits until the group has so many members and each has a partition. */
  public void awaitMembers(int members) {
    await("members of " + topic)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(() -> assertThat(membersWithPartitions()).isEqualTo(members));
  }

  private long membersWithPartitions() throws ExecutionException, InterruptedException {
    boolean known =
        topics.admin().listGroups().all().get().stream()
            .anyMatch(group -> group.groupId().equals(topic));
    return known ? describedMembers() : 0;
  }

  private long describedMembers() throws ExecutionException, InterruptedException {
    return topics
        .admin()
        .describeConsumerGroups(List.of(topic))
        .all()
        .get()
        .get(topic)
        .members()
        .stream()
        .map(MemberDescription::assignment)
        .filter(assignment -> !assignment.topicPartitions().isEmpty())
        .count();
  }

  /** Waits until everything that is in the topic now is committed. */
  public void awaitDone() {
    await("lag of " + topic)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(() -> assertThat(topics.lag(topic, topic)).isZero());
  }
}
