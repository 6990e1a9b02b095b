package dev.ingest.plan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.event.BusinessKey;
import dev.ingest.event.Event;
import dev.ingest.event.Header;
import dev.ingest.event.TopicPartition;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeyReaderTest {
  @Test
  void partsThatDifferNeverGiveOneKey() {
    KeyReader reader = json("/x", "/y");

    Reading first = reader.read(event("k", "{\"x\":\"a|b\",\"y\":\"c\"}"));
    Reading second = reader.read(event("k", "{\"x\":\"a\",\"y\":\"b|c\"}"));
    Reading third = reader.read(event("k", "{\"x\":\"a\\\\\",\"y\":\"b\"}"));
    Reading fourth = reader.read(event("k", "{\"x\":\"a\",\"y\":\"\\\\b\"}"));

    assertThat(List.of(first, second, third, fourth))
        .doesNotHaveDuplicates()
        .allMatch(Reading.Keyed.class::isInstance);
  }

  @Test
  void numberKeepsTheDigitsItIsWrittenIn() {
    String json = "{\"id\":{\"n\":[0,12345678901234567890123.4500]}}";

    assertThat(json("/id/n/1").read(event("k", json)))
        .isEqualTo(keyed("12345678901234567890123.4500"));
  }

  @Test
  void pointerPassesOverWhatLiesBeforeIt() {
    String json = "{\"a\":{\"id\":\"no\"},\"b\":[{\"id\":\"no\"}],\"id\":\"yes\",\"z\":[";

    assertThat(json("/id").read(event("k", json))).isEqualTo(keyed("yes"));
  }

  @Test
  void pointerWithEscapesFindsItsField() {
    assertThat(json("/a~1b/m~0n").read(event("k", "{\"a/b\":{\"m~n\":true}}")))
        .isEqualTo(keyed("true"));
  }

  @Test
  void lastHeaderOfANameWins() {
    KeyReader reader = new KeyReader(List.of(KeyPart.header("id")));
    Event event =
        new Event(
            new TopicPartition("t", 0),
            0,
            0,
            null,
            null,
            List.of(
                new Header("id", "one".getBytes(UTF_8)), new Header("id", "two".getBytes(UTF_8))));

    assertThat(reader.read(event)).isEqualTo(keyed("two"));
  }

  @Test
  void whatCanBeNoKeyIsRejectedWithoutItsValue() {
    assertThat(KeyReader.recordKey().read(event(null, "{}")))
        .isEqualTo(new Reading.Rejected("the record key is absent"));
    assertThat(KeyReader.recordKey().read(event("", "{}")))
        .isEqualTo(new Reading.Rejected("business key is empty"));
    assertThat(KeyReader.recordKey().read(event("se\0cret", "{}")))
        .isEqualTo(new Reading.Rejected("business key holds U+0000"));
    assertThat(KeyReader.recordKey().read(bytes(new byte[] {(byte) 0xff})))
        .isEqualTo(new Reading.Rejected("the record key is not valid UTF-8"));
    assertThat(json("/id").read(event("k", null)))
        .isEqualTo(new Reading.Rejected("the record is a tombstone, it has no field /id"));
    assertThat(json("/id").read(event("k", "{\"id\":null}")))
        .isEqualTo(new Reading.Rejected("field /id is null"));
    assertThat(json("/id").read(event("k", "{\"id\":{}}")))
        .isEqualTo(new Reading.Rejected("field /id is an object or an array"));
    assertThat(json("/id").read(event("k", "[1]")))
        .isEqualTo(new Reading.Rejected("the payload has no field /id"));
    assertThat(json("/id").read(event("k", "")))
        .isEqualTo(new Reading.Rejected("the payload has no field /id"));
    assertThat(json("/id").read(event("k", "{\"id\": nope")))
        .isEqualTo(new Reading.Rejected("the payload is not readable as JSON"));
    assertThat(json("/id").read(event("k", "{\"id\":\"\\ud800\"}")))
        .isEqualTo(new Reading.Rejected("business key holds an unpaired surrogate"));
  }

  private static KeyReader json(String... pointers) {
    return new KeyReader(Arrays.stream(pointers).map(KeyPart::json).toList());
  }

  private static Reading keyed(String key) {
    return new Reading.Keyed(new BusinessKey(key));
  }

  private static Event event(@Nullable String key, @Nullable String value) {
    byte[] keyBytes = key == null ? null : key.getBytes(UTF_8);
    byte[] valueBytes = value == null ? null : value.getBytes(UTF_8);
    return new Event(new TopicPartition("t", 0), 0, 0, keyBytes, valueBytes, List.of());
  }

  private static Event bytes(byte[] key) {
    return new Event(new TopicPartition("t", 0), 0, 0, key, null, List.of());
  }
}
