package dev.ingest.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.event.TopicPartition;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Where the event was that a dead letter is about, by the letter's own headers. Immutable.
 *
 * @param route on which it could not be stored; null where the letter does not say
 */
public record DeadLetterPlace(@Nullable String route, TopicPartition partition, long offset) {
  /**
   * @param group whose letters count
   * @return empty for a record that is no letter of this group
   */
  public static Optional<DeadLetterPlace> of(Headers headers, String group) {
    if (!text(headers, "connector.name").equals(group)) {
      return Optional.empty();
    }
    String route = value(headers, DeadLetterHeaders.ROUTE);
    String topic = text(headers, "topic");
    String partition = text(headers, "partition");
    String offset = text(headers, "offset");
    boolean whole =
        !topic.isEmpty() && partition.matches("[0-9]{1,9}") && offset.matches("[0-9]{1,18}");
    return whole
        ? Optional.of(
            new DeadLetterPlace(
                route.isEmpty() ? null : route,
                new TopicPartition(topic, Integer.parseInt(partition)),
                Long.parseLong(offset)))
        : Optional.empty();
  }

  private static String text(Headers headers, String name) {
    return value(headers, DeadLetterHeaders.CONNECT + name);
  }

  private static String value(Headers headers, String name) {
    Header header = headers.lastHeader(name);
    return header == null || header.value() == null ? "" : new String(header.value(), UTF_8);
  }
}
