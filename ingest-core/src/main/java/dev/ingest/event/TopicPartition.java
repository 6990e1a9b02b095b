package dev.ingest.event;

import java.util.Comparator;
import java.util.Objects;

/** One partition of one topic, ordered by topic, then number. Immutable. */
public record TopicPartition(String topic, int partition) implements Comparable<TopicPartition> {
  private static final Comparator<TopicPartition> ORDER =
      Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);

  public TopicPartition {
    Objects.requireNonNull(topic, "topic");
    if (partition < 0) {
      throw new IllegalArgumentException(
          "partition=" + partition + " of topic " + topic + " is below 0");
    }
  }

  @Override
  public int compareTo(TopicPartition other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return topic + "-" + partition;
  }
}
