package dev.ingest.app.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.app.config.ValueSettings.Operation;
import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import dev.ingest.plan.ValueFormat.Decoded;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DebeziumEnvelopeTest {
  private static final String ROW = "{\"id\": 1.50, \"s\": \"\\u00e9|é\",\"n\":null}";

  private final DebeziumEnvelope envelope =
      new DebeziumEnvelope(List.of(Operation.CREATE, Operation.READ));

  private static String change(String operation, String after) {
    return "{\"before\":null,\"after\":"
        + after
        + ",\"source\":{\"op\":\"x\"},\"op\":\""
        + operation
        + "\"}";
  }

  private static String wrapped(String change) {
    return "{\"schema\":{\"type\":\"struct\"},\"payload\":" + change + "}";
  }

  private static Event event(@Nullable String json) {
    byte[] value = json == null ? null : json.getBytes(UTF_8);
    return new Event(new TopicPartition("t", 0), 0, 0, null, value, List.of());
  }

  private String document(String json) {
    Decoded decoded = envelope.decode(event(json));
    assertThat(decoded).isInstanceOf(Decoded.Readable.class);
    Event event = ((Decoded.Readable) decoded).event();
    assertThat(event.value()).isEqualTo(json.getBytes(UTF_8));
    return new String(Objects.requireNonNull(event.document()), UTF_8);
  }

  @Test
  void theRowAfterAnInsertIsTheDocumentByteForByte() {
    assertThat(document(change("c", ROW))).isEqualTo(ROW);
    assertThat(document(change("r", ROW))).isEqualTo(ROW);
    assertThat(document(wrapped(change("c", ROW)))).isEqualTo(ROW);
  }

  @ParameterizedTest
  @ValueSource(strings = {"u", "d", "t", "m"})
  void otherChangesAreSkipped(String operation) {
    assertThat(envelope.decode(event(change(operation, "null"))))
        .isInstanceOf(Decoded.PassedOver.class);
    assertThat(envelope.decode(event(wrapped(change(operation, ROW)))))
        .isInstanceOf(Decoded.PassedOver.class);
  }

  @Test
  void anUpdateIsStoredWhereTheUserSaysSo() {
    DebeziumEnvelope all = new DebeziumEnvelope(List.of(Operation.UPDATE));

    assertThat(all.decode(event(change("u", ROW)))).isInstanceOf(Decoded.Readable.class);
    assertThat(all.decode(event(change("c", ROW)))).isInstanceOf(Decoded.PassedOver.class);
  }

  @Test
  void recordWithoutAValueStaysOne() {
    Event tombstone = event(null);

    assertThat(envelope.decode(tombstone)).isEqualTo(new Decoded.Readable(tombstone));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nope",
        "null",
        "[]",
        "{}",
        "{\"id\":1}",
        "{\"op\":\"z\",\"after\":{}}",
        "{\"op\":\"c\"}",
        "{\"op\":\"c\",\"after\":null}",
        "{\"op\":\"c\",\"after\":7}",
        "{\"op\":null,\"after\":{}}",
        "{\"op\":\"c\",\"op\":\"c\",\"after\":{}}",
        "{\"payload\":{\"after\":{}}}",
        "{\"op\":\"c\",\"after\":{}} {}"
      })
  void whatIsNoChangeEventIsUnreadable(String json) {
    assertThat(envelope.decode(event(json))).isInstanceOf(Decoded.Unreadable.class);
  }
}
