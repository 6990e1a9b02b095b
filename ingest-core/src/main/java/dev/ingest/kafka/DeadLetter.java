package dev.ingest.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.event.Event;
import dev.ingest.event.Header;
import dev.ingest.plan.RejectedEvent;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** The record that a dead letter is. Pure. */
final class DeadLetter {
  private DeadLetter() {}

  /** The event as it was, with what is said of its failure. */
  static ProducerRecord<byte[], byte[]> whole(
      String topic, String group, String route, RejectedEvent rejected) {
    Event event = rejected.event();
    ProducerRecord<byte[], byte[]> letter = record(topic, event, event.key(), event.value());
    add(letter, DeadLetterHeaders.own(event));
    add(letter, DeadLetterHeaders.of(rejected, group, route));
    return letter;
  }

  /**
   * For an event that is too large for the dead-letter topic: where to find it, in place of its
   * value. Never a null value, which would be an order to forget the key.
   */
  static ProducerRecord<byte[], byte[]> reference(
      String topic, String group, String route, RejectedEvent rejected) {
    Event event = rejected.event();
    ProducerRecord<byte[], byte[]> letter =
        record(topic, event, event.reference().key(), place(event));
    add(letter, DeadLetterHeaders.of(rejected, group, route));
    letter.headers().add(DeadLetterHeaders.OURS + "reference", "true".getBytes(UTF_8));
    return letter;
  }

  private static byte[] place(Event event) {
    return """
        {"topic":"%s","partition":%d,"offset":%d,"bytes":%d}"""
        .formatted(
            event.partition().topic(),
            event.partition().partition(),
            event.offset(),
            event.recordBytes())
        .getBytes(UTF_8);
  }

  private static ProducerRecord<byte[], byte[]> record(
      String topic, Event event, byte @Nullable [] key, byte @Nullable [] value) {
    Long timestamp = event.timestampMillis() < 0 ? null : event.timestampMillis();
    return new ProducerRecord<>(topic, null, timestamp, key, value);
  }

  private static void add(ProducerRecord<byte[], byte[]> letter, List<Header> headers) {
    headers.forEach(header -> letter.headers().add(header.name(), header.value()));
  }
}
