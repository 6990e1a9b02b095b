package dev.ingest.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.event.Event;
import dev.ingest.event.Header;
import dev.ingest.event.TopicPartition;
import dev.ingest.plan.RejectedEvent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class DeadLetterTest {
  private static final TopicPartition ORDERS = new TopicPartition("orders", 3);

  @Test
  void saysWhatHappenedInBothWaysThatToolsRead() {
    Event event = event(8412, List.of(new Header("trace", "a1".getBytes(UTF_8))));

    Map<String, byte[]> headers = headers(whole(event, "refused", "23514"));

    assertThat(texts(headers))
        .containsEntry("trace", "a1")
        .containsEntry("__connect.errors.topic", "orders")
        .containsEntry("__connect.errors.partition", "3")
        .containsEntry("__connect.errors.offset", "8412")
        .containsEntry("__connect.errors.connector.name", "group")
        .containsEntry("__connect.errors.exception.message", "refused")
        .containsEntry("kafka_dlt-original-topic", "orders")
        .containsEntry("kafka_dlt-original-consumer-group", "group")
        .containsEntry("kafka_dlt-exception-message", "refused")
        .containsEntry("ingest.errors.route", "sales")
        .containsEntry("ingest.errors.sqlstate", "23514")
        .containsEntry("ingest.errors.attempts", "1");
    assertThat(headers.get("kafka_dlt-original-partition")).isEqualTo(number(4, 3));
    assertThat(headers.get("kafka_dlt-original-offset")).isEqualTo(number(8, 8412));
    assertThat(headers.get("kafka_dlt-original-timestamp")).isEqualTo(number(8, 1700));
  }

  @Test
  void keepsBytesAndTimeAsTheyWere() {
    ProducerRecord<byte[], byte[]> letter = whole(event(1, List.of()), "refused", null);

    assertThat(letter.key()).isEqualTo("key".getBytes(UTF_8));
    assertThat(letter.value()).isEqualTo("value".getBytes(UTF_8));
    assertThat(letter.timestamp()).isEqualTo(1700);
    assertThat(letter.topic()).isEqualTo("dead");
  }

  @Test
  void headersOfALetterThatIsSentBackAndFailsAgainDoNotGrow() {
    ProducerRecord<byte[], byte[]> letter = whole(event(8412, List.of()), "first", "23514");
    int before = letter.headers().toArray().length;

    for (int offset = 9000; offset < 9003; offset++) {
      letter = whole(event(offset, received(letter)), "again", "23514");
    }

    Map<String, byte[]> headers = headers(letter);
    assertThat(letter.headers().toArray()).hasSize(before);
    assertThat(texts(headers))
        .containsEntry("ingest.errors.first-reason", "first")
        .containsEntry("ingest.errors.reason", "again")
        .containsEntry("__connect.errors.exception.message", "again")
        .containsEntry("__connect.errors.offset", "9002")
        .containsEntry("ingest.errors.attempts", "4");
    assertThat(headers.get("kafka_dlt-original-offset")).isEqualTo(number(8, 8412));
  }

  @Test
  void dropsWhatOtherToolsSaidOfAnEarlierFailure() {
    Header trace = new Header("kafka_dlt-exception-stacktrace", new byte[5000]);

    assertThat(headers(whole(event(1, List.of(trace)), "refused", null)))
        .doesNotContainKey("kafka_dlt-exception-stacktrace");
  }

  @Test
  void capsTextsWithoutBreakingACharacter() {
    byte[] reason =
        headers(whole(event(1, List.of()), "x" + "ä".repeat(2000), null))
            .get("ingest.errors.reason");

    assertThat(reason).hasSize(1023);
    assertThat(new String(reason, UTF_8)).endsWith("ä").doesNotContain("\uFFFD");
  }

  @Test
  void survivesNonsenseInTheHeadersOfAnEarlierLetter() {
    List<Header> nonsense =
        List.of(
            new Header("kafka_dlt-original-topic", null),
            new Header("ingest.errors.attempts", "many".getBytes(UTF_8)),
            new Header("ingest.errors.first-reason", null));

    assertThat(texts(headers(whole(event(1, nonsense), "refused", null))))
        .containsEntry("ingest.errors.attempts", "1")
        .containsEntry("ingest.errors.first-reason", "refused")
        .containsEntry("kafka_dlt-original-topic", "orders");
  }

  @Test
  void aReferenceTellsWhereTheEventIsAndIsNoTombstone() {
    Event large = new Event(ORDERS, 8412, 1700, new byte[20_000], new byte[70_000], List.of());

    ProducerRecord<byte[], byte[]> letter =
        DeadLetter.reference("dead", "group", "sales", rejected(large, "too large", null));

    assertThat(letter.key()).isNull();
    assertThat(new String(letter.value(), UTF_8))
        .isEqualTo(
            "{\"topic\":\"orders\",\"partition\":3,\"offset\":8412,\"bytes\":%d}",
            large.sizeBytes());
    assertThat(texts(headers(letter))).containsEntry("ingest.errors.reference", "true");
  }

  @Test
  void aLetterIsRecognisedByItsGroupAndTellsItsEventsPlace() {
    ProducerRecord<byte[], byte[]> letter = whole(event(8412, List.of()), "refused", null);

    assertThat(DeadLetterPlace.of(letter.headers(), "group"))
        .contains(new DeadLetterPlace("sales", ORDERS, 8412));
    assertThat(DeadLetterPlace.of(letter.headers(), "another")).isEmpty();
    letter.headers().remove("ingest.errors.route");
    assertThat(DeadLetterPlace.of(letter.headers(), "group"))
        .contains(new DeadLetterPlace(null, ORDERS, 8412));
    letter.headers().add("__connect.errors.offset", "last".getBytes(UTF_8));
    assertThat(DeadLetterPlace.of(letter.headers(), "group")).isEmpty();
    letter.headers().remove("__connect.errors.offset");
    assertThat(DeadLetterPlace.of(letter.headers(), "group")).isEmpty();
  }

  private static Event event(long offset, List<Header> headers) {
    return new Event(ORDERS, offset, 1700, "key".getBytes(UTF_8), "value".getBytes(UTF_8), headers);
  }

  private static RejectedEvent rejected(Event event, String reason, String sqlState) {
    return new RejectedEvent(event, reason, sqlState, null, null);
  }

  private static ProducerRecord<byte[], byte[]> whole(Event event, String reason, String state) {
    return DeadLetter.whole("dead", "group", "sales", rejected(event, reason, state));
  }

  private static List<Header> received(ProducerRecord<byte[], byte[]> letter) {
    List<Header> headers = new ArrayList<>();
    letter.headers().forEach(each -> headers.add(new Header(each.key(), each.value())));
    return headers;
  }

  private static Map<String, byte[]> headers(ProducerRecord<byte[], byte[]> letter) {
    Map<String, byte[]> headers = new HashMap<>();
    for (Header each : received(letter)) {
      assertThat(headers).doesNotContainKey(each.name());
      headers.put(each.name(), each.value());
    }
    return headers;
  }

  private static Map<String, String> texts(Map<String, byte[]> headers) {
    Map<String, String> texts = new HashMap<>();
    headers.forEach((name, value) -> texts.put(name, new String(value, UTF_8)));
    return texts;
  }

  private static byte[] number(int bytes, long value) {
    ByteBuffer buffer = ByteBuffer.allocate(bytes);
    return (bytes == Long.BYTES ? buffer.putLong(value) : buffer.putInt((int) value)).array();
  }
}
