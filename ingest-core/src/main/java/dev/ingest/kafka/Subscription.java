package dev.ingest.kafka;

import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which topics a consumer reads, and where it begins a partition for which the group has no offset.
 * Immutable.
 *
 * @param topics names; empty where a pattern is given
 * @param pattern topics whose whole name matches; null where names are given
 */
public record Subscription(List<String> topics, @Nullable Pattern pattern, Start start) {
  /** Where a partition without a committed offset begins. */
  public enum Start {
    EARLIEST,
    LATEST
  }

  public Subscription {
    topics = List.copyOf(topics);
    Objects.requireNonNull(start, "start");
    if (topics.isEmpty() == (pattern == null)) {
      throw new IllegalArgumentException("Subscribe to topic names or to one pattern, not both.");
    }
  }

  /** These topics, from their earliest record on. */
  public static Subscription to(String... topics) {
    return new Subscription(List.of(topics), null, Start.EARLIEST);
  }
}
