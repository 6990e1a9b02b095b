package dev.ingest.event;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One record of a topic, undecoded. Immutable by agreement: the arrays are the record's own and are
 * not copied, so nobody writes to them. Two events are the same event when their positions are.
 */
public final class Event {
  private final TopicPartition partition;
  private final long offset;
  private final long timestampMillis;
  private final byte @Nullable [] key;
  private final byte @Nullable [] value;
  private final List<Header> headers;

  /**
   * @param offset position within the partition, from 0
   * @param timestampMillis the record's timestamp, milliseconds since 1970-01-01T00:00Z; -1 where
   *     the record has none
   * @param key the record key, null where the record has none
   * @param value the record value, null for a tombstone
   */
  public Event(
      TopicPartition partition,
      long offset,
      long timestampMillis,
      byte @Nullable [] key,
      byte @Nullable [] value,
      List<Header> headers) {
    this.partition = Objects.requireNonNull(partition, "partition");
    if (offset < 0) {
      throw new IllegalArgumentException("offset=" + offset + " of " + partition + " is below 0");
    }
    this.offset = offset;
    this.timestampMillis = timestampMillis;
    this.key = key;
    this.value = value;
    this.headers = List.copyOf(headers);
  }

  public TopicPartition partition() {
    return partition;
  }

  public long offset() {
    return offset;
  }

  public long timestampMillis() {
    return timestampMillis;
  }

  public byte @Nullable [] key() {
    return key;
  }

  public byte @Nullable [] value() {
    return value;
  }

  public List<Header> headers() {
    return headers;
  }

  /** Bytes that this event keeps in memory, estimated: key, value, headers and a fixed overhead. */
  public long sizeBytes() {
    long size = 128L + length(key) + length(value);
    for (Header header : headers) {
      size += 64L + header.name().length() + length(header.value());
    }
    return size;
  }

  private static int length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  /** The position alone: an event's content never reaches a log by accident. */
  @Override
  public String toString() {
    return partition + "@" + offset;
  }
}
