package dev.ingest.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Deserializer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PollBytesTest {
  private final PollBytes bytes = new PollBytes(100);
  private final Deserializer<byte[]> keys = bytes.deserializer();
  private final Deserializer<byte[]> values = bytes.deserializer();

  @BeforeEach
  void begin() {
    bytes.beginPoll();
  }

  @Test
  void pollEndsBeforeTheRecordThatIsTooMuchAndTheNextPollTakesIt() {
    take(10, 40);
    take(10, 40);
    assertRefused(10, 1);
    assertRefused(10, 1);

    bytes.beginPoll();

    take(10, 90);
    assertRefused(1, 0);
  }

  @Test
  void firstRecordOfAPollPassesWhateverItsSize() {
    take(60, 5000);
    assertRefused(1, 1);

    bytes.beginPoll();

    assertThat(part(values, new RecordHeaders(), 5000)).hasSize(5000);
  }

  @Test
  void tombstonesCountWithTheirHeadersAndApartFromTheNextRecord() {
    part(keys, new RecordHeaders(), 30);
    part(keys, new RecordHeaders().add("h", new byte[39]), 30);
    assertRefused(() -> part(keys, new RecordHeaders(), 1));

    bytes.beginPoll();

    part(keys, new RecordHeaders(), 60);
    assertRefused(() -> part(values, new RecordHeaders(), 60));
    part(values, new RecordHeaders(), 40);
  }

  @Test
  void headersCountOnce() {
    Headers headers = new RecordHeaders().add("h", new byte[44]).add("empty", null);
    part(keys, headers, 10);
    part(values, headers, 10);

    take(10, 20);

    assertRefused(1, 0);
  }

  @Test
  void boundIsWhatOneFetchMayBring() {
    PollBytes fetch = PollBytes.of(Map.of("fetch.max.bytes", "10"));
    Deserializer<byte[]> value = fetch.deserializer();
    part(value, new RecordHeaders(), 10);

    assertRefused(() -> part(value, new RecordHeaders(), 1));
  }

  private void take(int key, int value) {
    Headers none = new RecordHeaders();
    part(keys, none, key);
    part(values, none, value);
  }

  private static byte[] part(Deserializer<byte[]> deserializer, Headers headers, int size) {
    return deserializer.deserialize("t", headers, ByteBuffer.wrap(new byte[size]));
  }

  private void assertRefused(int key, int value) {
    assertRefused(() -> take(key, value));
  }

  private static void assertRefused(ThrowingCallable part) {
    assertThatThrownBy(part).isInstanceOf(SerializationException.class);
  }
}
