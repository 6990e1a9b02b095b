package dev.ingest.event;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One record of a topic as it came, and the JSON document that was made of its value where that is
 * in another format. Immutable by agreement: the arrays are the record's own and are not copied, so
 * nobody writes to them. Two events are the same event when their positions are.
 */
public final class Event {
  /** A key of up to so many bytes stays in a reference: any that an index can hold. */
  private static final int REFERENCE_KEY = 4 << 10;

  private final TopicPartition partition;
  private final long offset;
  private final long timestampMillis;
  private final byte @Nullable [] key;
  private final byte @Nullable [] value;
  private final byte @Nullable [] document;
  private final List<Header> headers;
  private final long recordBytes;
  private final boolean isReference;
  private final boolean isDeletion;

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
    this(partition, offset, timestampMillis, key, value, value, headers, false);
  }

  private Event(
      TopicPartition partition,
      long offset,
      long timestampMillis,
      byte @Nullable [] key,
      byte @Nullable [] value,
      byte @Nullable [] document,
      List<Header> headers,
      boolean isDeletion) {
    this.partition = Objects.requireNonNull(partition, "partition");
    if (offset < 0) {
      throw new IllegalArgumentException("offset=" + offset + " of " + partition + " is below 0");
    }
    this.offset = offset;
    this.timestampMillis = timestampMillis;
    this.key = key;
    this.value = value;
    this.document = document;
    this.headers = List.copyOf(headers);
    this.recordBytes = held();
    this.isReference = false;
    this.isDeletion = isDeletion;
  }

  private Event(Event whole) {
    this.partition = whole.partition;
    this.offset = whole.offset;
    this.timestampMillis = whole.timestampMillis;
    this.key = length(whole.key) <= REFERENCE_KEY ? whole.key : null;
    this.value = null;
    this.document = null;
    this.headers = List.of();
    this.recordBytes = whole.recordBytes;
    this.isReference = true;
    this.isDeletion = false;
  }

  /**
   * The place of an event that is too large to be held: without value and headers, and with its key
   * only where that is small.
   */
  public Event reference() {
    return isReference ? this : new Event(this);
  }

  /** Whether what the record holds was let go; the record itself is in Kafka alone. */
  public boolean isReference() {
    return isReference;
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

  /** What columns and keys read: the value itself, unless a format made a document of it. */
  public byte @Nullable [] document() {
    return document;
  }

  /** The same record, read as this JSON document. */
  public Event withDocument(byte @Nullable [] json) {
    return new Event(partition, offset, timestampMillis, key, value, json, headers, false);
  }

  /** The same record, read as an order to delete the row of its key. */
  public Event deletion() {
    return new Event(partition, offset, timestampMillis, key, value, document, headers, true);
  }

  /** Whether the row of its key is to go, rather than to be stored. */
  public boolean isDeletion() {
    return isDeletion;
  }

  public List<Header> headers() {
    return headers;
  }

  /**
   * Bytes of the whole record, estimated as {@link #sizeBytes} does, also where they are let go.
   */
  public long recordBytes() {
    return recordBytes;
  }

  /** Bytes that this event keeps in memory, estimated: key, value, headers and a fixed overhead. */
  public long sizeBytes() {
    return isReference ? held() : recordBytes;
  }

  private long held() {
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
