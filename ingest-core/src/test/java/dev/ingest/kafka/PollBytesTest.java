package dev.ingest.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PollBytesTest {
  private static final Headers NONE = new RecordHeaders();

  private final PollBytes bytes = new PollBytes(100);
  private final Deserializer<byte[]> keys = bytes.keys();
  private final Deserializer<byte[]> values = bytes.values();

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

    assertThat(values.deserialize("t", NONE, ByteBuffer.wrap(new byte[5000]))).hasSize(5000);
  }

  @Test
  void keysOfTombstonesAndHeadersCount() {
    keys.deserialize("t", NONE, ByteBuffer.wrap(new byte[60]));
    assertThatThrownBy(() -> keys.deserialize("t", NONE, ByteBuffer.wrap(new byte[60])))
        .isInstanceOf(SerializationException.class);

    bytes.beginPoll();

    Headers headers = new RecordHeaders().add("h", new byte[99]).add("empty", null);
    values.deserialize("t", headers, ByteBuffer.wrap(new byte[1]));
    assertRefused(0, 1);
  }

  @Test
  void boundIsWhatOneFetchMayBring() {
    PollBytes fetch = PollBytes.of(Map.of("fetch.max.bytes", "10"));
    Deserializer<byte[]> value = fetch.values();
    value.deserialize("t", NONE, ByteBuffer.wrap(new byte[10]));

    assertThatThrownBy(() -> value.deserialize("t", NONE, ByteBuffer.wrap(new byte[1])))
        .isInstanceOf(SerializationException.class);
  }

  private void take(int key, int value) {
    keys.deserialize("t", NONE, ByteBuffer.wrap(new byte[key]));
    values.deserialize("t", NONE, ByteBuffer.wrap(new byte[value]));
  }

  private void assertRefused(int key, int value) {
    assertThatThrownBy(() -> take(key, value)).isInstanceOf(SerializationException.class);
  }
}
