package dev.ingest.kafka;

import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what one poll hands over by its bytes, decompressed. The client bounds a poll by records
 * alone, and a fetch by bytes as the broker keeps them: a few compressed KiB may hold a gibibyte.
 * It decompresses record by record, so a deserializer that refuses a record ends the poll with
 * those before it; the client keeps the one that was refused and tries it again with the next poll.
 * The first record of a poll always passes, whatever its size. Keys, values and headers count, but
 * for the headers of a record that has neither key nor value: the client shows it to no
 * deserializer.
 *
 * <p>The client logs each refusal as an error of {@code
 * org.apache.kafka.clients.consumer.internals.CompletedFetch}; switch that logger off. Owned by the
 * consumer's thread.
 */
public final class PollBytes {
  private final long max;
  private long handed;

  /** What was handed over before the record at hand. */
  private long before;

  /** Tell the record at hand: the client makes them anew for each record, and for each try. */
  private @Nullable Headers headersAtHand;

  /**
   * @param max bytes of keys, values and headers that one poll may hand over
   */
  PollBytes(long max) {
    this.max = max;
  }

  /**
   * As many bytes as one fetch may bring, {@code fetch.max.bytes}.
   *
   * @param consumer settings of the consumer
   * @throws KafkaException where that setting is no number
   */
  public static PollBytes of(Map<String, ?> consumer) {
    Object max = consumer.get(ConsumerConfig.FETCH_MAX_BYTES_CONFIG);
    return new PollBytes(
        max == null
            ? ConsumerConfig.DEFAULT_FETCH_MAX_BYTES
            : (Integer)
                ConfigDef.parseType(
                    ConsumerConfig.FETCH_MAX_BYTES_CONFIG, max, ConfigDef.Type.INT));
  }

  /** To be called before each poll. */
  public void beginPoll() {
    handed = 0;
    before = 0;
    headersAtHand = null;
  }

  /** For the consumer's keys as for its values. */
  public Deserializer<byte[]> deserializer() {
    return new Bytes();
  }

  /** Counts a key or value in, or throws where its record has to wait for the next poll. */
  private void take(Headers headers, int size) {
    long added = size;
    if (headers != headersAtHand) {
      headersAtHand = headers;
      before = handed;
      added += size(headers);
    }
    if (before > 0 && handed + added > max) {
      throw new PollFull();
    }
    handed += added;
  }

  private static long size(Headers headers) {
    long size = 0;
    for (Header header : headers) {
      size += header.key().length() + (header.value() == null ? 0 : header.value().length);
    }
    return size;
  }

  /** Ends a poll. Never seen outside the client. */
  private static final class PollFull extends SerializationException {
    private static final long serialVersionUID = 1;

    PollFull() {
      super("the poll has its bytes; the record comes with the next one");
    }
  }

  /** Copies no byte of a record that is refused. */
  private final class Bytes implements Deserializer<byte[]> {
    @Override
    public byte[] deserialize(String topic, Headers headers, ByteBuffer data) {
      take(headers, data.remaining());
      byte[] bytes = new byte[data.remaining()];
      data.get(bytes);
      return bytes;
    }

    @Override
    public byte[] deserialize(String topic, byte[] data) {
      return data;
    }

    /** Stands in the client's log line. */
    @Override
    public String toString() {
      return "no error, the poll has its bytes";
    }
  }
}
