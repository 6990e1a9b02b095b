package dev.ingest.plan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.event.Event;
import dev.ingest.event.Header;
import dev.ingest.event.TopicPartition;
import dev.ingest.plan.KeyRules.Normalization;
import dev.ingest.plan.KeyRules.TooLong;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeyReaderTest {
  @Test
  void partsThatDifferNeverGiveOneKey() {
    KeyReader reader = json("/x", "/y");

    String first = key(reader.read(event("k", "{\"x\":\"a|b\",\"y\":\"c\"}")));
    String second = key(reader.read(event("k", "{\"x\":\"a\",\"y\":\"b|c\"}")));
    String third = key(reader.read(event("k", "{\"x\":\"a\\\\\",\"y\":\"b\"}")));
    String fourth = key(reader.read(event("k", "{\"x\":\"a\",\"y\":\"\\\\b\"}")));

    assertThat(List.of(first, second, third, fourth)).doesNotHaveDuplicates();
  }

  @Test
  void numberKeepsTheDigitsItIsWrittenIn() {
    String json = "{\"id\":{\"n\":[0,12345678901234567890123.4500]}}";

    assertThat(key(json("/id/n/1").read(event("k", json))))
        .isEqualTo("12345678901234567890123.4500");
  }

  @Test
  void pointerPassesOverWhatLiesBeforeIt() {
    String json = "{\"a\":{\"id\":\"no\"},\"b\":[{\"id\":\"no\"}],\"id\":\"yes\",\"z\":[";

    assertThat(key(json("/id").read(event("k", json)))).isEqualTo("yes");
  }

  @Test
  void pointerWithEscapesFindsItsField() {
    assertThat(key(json("/a~1b/m~0n").read(event("k", "{\"a/b\":{\"m~n\":true}}"))))
        .isEqualTo("true");
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

    assertThat(key(reader.read(event))).isEqualTo("two");
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

  @Test
  void keysAreNormalisedInTheOrderWritten() {
    KeyRules rules =
        new KeyRules(
            List.of(Normalization.TRIM, Normalization.LOWER_CASE, Normalization.NFC), TooLong.PARK);

    assertThat(key(reader(rules).read(event("k", "{\"id\":\"\u2003 TITLE-I\u0308X \"}"))))
        .isEqualTo("title-\u00efx");
    assertThat(key(reader(KeyRules.NONE).read(event("k", "{\"id\":\" A \"}")))).isEqualTo(" A ");
  }

  @Test
  void partsAreNormalisedBeforeTheyAreJoined() {
    KeyReader reader =
        new KeyReader(
            List.of(KeyPart.json("/x"), KeyPart.json("/y")),
            new KeyRules(List.of(Normalization.TRIM), TooLong.PARK));

    assertThat(key(reader.read(event("k", "{\"x\":\" a|\",\"y\":\"b \"}")))).isEqualTo("a\\||b");
  }

  @Test
  void anEmptyFirstPartIsAPartToo() {
    KeyReader reader = json("/x", "/y");

    assertThat(key(reader.read(event("k", "{\"x\":\"\",\"y\":\"b\"}")))).isEqualTo("|b");
    assertThat(key(reader.read(event("k", "{\"x\":\"b\",\"y\":\"\"}")))).isEqualTo("b|");
  }

  @Test
  void keyThatNoIndexHoldsIsRefusedOrStoredAsItsDigest() {
    String longest = "å".repeat(KeyRules.MAX_BYTES / 2);
    KeyRules digest = new KeyRules(List.of(), TooLong.DIGEST);

    assertThat(key(reader(KeyRules.NONE).read(id(longest)))).isEqualTo(longest);
    assertThat(key(reader(digest).read(id(longest)))).isEqualTo(longest);
    assertThat(reader(KeyRules.NONE).read(id(longest + "x")))
        .isEqualTo(
            new Reading.Rejected("business key is longer than the 2692 bytes that an index holds"));
    assertThat(key(reader(digest).read(id(longest + "x")))).matches("sha256:[0-9a-f]{64}");
  }

  @Test
  void noKeyLooksLikeTheDigestOfAnother() {
    KeyReader reader = reader(new KeyRules(List.of(), TooLong.DIGEST));
    String digest = key(reader.read(id("x".repeat(3000))));

    assertThat(key(reader.read(id(digest)))).isNotEqualTo(digest).startsWith("sha256:");
  }

  private static KeyReader reader(KeyRules rules) {
    return new KeyReader(List.of(KeyPart.json("/id")), rules);
  }

  private static Event id(String id) {
    return event("k", "{\"id\":\"" + id + "\"}");
  }

  private static KeyReader json(String... pointers) {
    return new KeyReader(Arrays.stream(pointers).map(KeyPart::json).toList());
  }

  private static String key(Reading reading) {
    assertThat(reading).isInstanceOf(Reading.Keyed.class);
    return ((Reading.Keyed) reading).key().value();
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
