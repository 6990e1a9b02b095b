package dev.ingest.kafka;

import dev.ingest.event.Event;
import dev.ingest.event.Header;
import dev.ingest.event.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Translates records to events, without copying key and value. */
public final class KafkaEvents {
  private KafkaEvents() {}

  public static Event of(ConsumerRecord<byte[], byte[]> record) {
    return of(new TopicPartition(record.topic(), record.partition()), record);
  }

  /** The same where the partition is at hand already. */
  static Event of(TopicPartition partition, ConsumerRecord<byte[], byte[]> record) {
    return new Event(
        partition,
        record.offset(),
        record.timestamp(),
        record.key(),
        record.value(),
        headers(record.headers().toArray()));
  }

  private static List<Header> headers(org.apache.kafka.common.header.Header[] of) {
    if (of.length == 0) {
      return List.of();
    }
    List<Header> headers = new ArrayList<>(of.length);
    for (var header : of) {
      headers.add(new Header(header.key(), header.value()));
    }
    return headers;
  }
}
