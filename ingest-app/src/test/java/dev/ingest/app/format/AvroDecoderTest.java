package dev.ingest.app.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ingest.mapping.UnfitValueException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;

class AvroDecoderTest {
  private static final String LIST =
      """
      {"type":"record","name":"L","fields":[{"name":"next","type":["null","L"]}]}
      """;

  static Schema schema(String json) {
    return new Schema.Parser().parse(json);
  }

  /** As Avro's own library writes it. */
  static byte[] encode(Schema schema, Object value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
      new GenericDatumWriter<>(schema).write(value, encoder);
      encoder.flush();
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    return out.toByteArray();
  }

  private static String json(String schema, Object value) {
    return decode(schema, encode(schema(schema), value));
  }

  private static String decode(String schema, byte[] bytes) {
    return new String(Documents.write(new AvroDecoder(schema(schema)), bytes, 0), UTF_8);
  }

  private static String logical(String type, String logicalType) {
    return "{\"type\":\"" + type + "\",\"logicalType\":\"" + logicalType + "\"}";
  }

  @Test
  void plainTypesKeepEveryDigitAndCharacter() {
    assertThat(json("\"long\"", Long.MIN_VALUE)).isEqualTo("-9223372036854775808");
    assertThat(json("\"long\"", Long.MAX_VALUE)).isEqualTo("9223372036854775807");
    assertThat(json("\"int\"", Integer.MIN_VALUE)).isEqualTo("-2147483648");
    assertThat(json("\"double\"", 0.1)).isEqualTo("0.1");
    assertThat(json("\"double\"", 2e23)).isEqualTo("2.0E23");
    assertThat(json("\"float\"", 0.1f)).isEqualTo("0.1");
    assertThat(json("\"double\"", Double.NaN)).isEqualTo("\"NaN\"");
    assertThat(json("\"double\"", Double.NEGATIVE_INFINITY)).isEqualTo("\"-Infinity\"");
    assertThat(json("\"boolean\"", true)).isEqualTo("true");
    assertThat(json("\"null\"", null)).isEqualTo("null");
    assertThat(json("\"string\"", "é\"\\\u0000😀")).isEqualTo("\"é\\\"\\\\\\u0000😀\"");
    assertThat(json("\"bytes\"", ByteBuffer.wrap(new byte[] {0, -1}))).isEqualTo("\"AP8=\"");
  }

  @Test
  void structuresKeepTheirOrder() {
    String schema =
        """
        {"type":"record","name":"R","fields":[
          {"name":"z","type":{"type":"array","items":"int"}},
          {"name":"a","type":{"type":"map","values":["null","string"]}},
          {"name":"e","type":{"type":"enum","name":"E","symbols":["X","Y"]}},
          {"name":"f","type":{"type":"fixed","name":"F","size":2}}]}
        """;
    Schema parsed = schema(schema);
    GenericData.Record value = new GenericData.Record(parsed);
    value.put("z", List.of(1, 2));
    value.put("a", Map.of("k", "v"));
    value.put("e", new GenericData.EnumSymbol(parsed.getField("e").schema(), "Y"));
    value.put("f", new GenericData.Fixed(parsed.getField("f").schema(), new byte[] {1, 2}));

    assertThat(json(schema, value))
        .isEqualTo("{\"z\":[1,2],\"a\":{\"k\":\"v\"},\"e\":\"Y\",\"f\":\"AQI=\"}");
  }

  @Test
  void logicalTypesBecomeExactText() {
    String decimal =
        "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":30,\"scale\":4}";
    BigDecimal number = new BigDecimal("-12345678901234567890123456.7800");
    assertThat(json(decimal, ByteBuffer.wrap(number.unscaledValue().toByteArray())))
        .isEqualTo("-12345678901234567890123456.7800");

    assertThat(json(logical("int", "date"), -1)).isEqualTo("\"1969-12-31\"");
    assertThat(json(logical("int", "time-millis"), 1)).isEqualTo("\"00:00:00.001\"");
    assertThat(json(logical("long", "time-micros"), 86_399_999_999L))
        .isEqualTo("\"23:59:59.999999\"");
    assertThat(json(logical("long", "timestamp-millis"), 1517363399650L))
        .isEqualTo("\"2018-01-31T01:49:59.650Z\"");
    assertThat(json(logical("long", "timestamp-micros"), -1L))
        .isEqualTo("\"1969-12-31T23:59:59.999999Z\"");
    assertThat(json(logical("long", "timestamp-nanos"), 1L))
        .isEqualTo("\"1970-01-01T00:00:00.000000001Z\"");
    assertThat(json(logical("long", "local-timestamp-micros"), 1L))
        .isEqualTo("\"1970-01-01T00:00:00.000001\"");
    assertThat(json(logical("string", "uuid"), "3f2504e0-4f89-11d3-9a0c-0305e82c3301"))
        .isEqualTo("\"3f2504e0-4f89-11d3-9a0c-0305e82c3301\"");
    assertThat(json(logical("long", "of-somebody"), 7L)).isEqualTo("7");
  }

  @Test
  void durationIsAnInterval() {
    String schema = "{\"type\":\"fixed\",\"name\":\"D\",\"size\":12,\"logicalType\":\"duration\"}";
    byte[] bytes = {1, 0, 0, 0, 2, 0, 0, 0, (byte) 0xdc, 5, 0, 0};

    assertThat(decode(schema, bytes)).isEqualTo("\"P1M2DT1.500S\"");
  }

  @Test
  void nothingIsAllocatedForWhatIsNotThere() {
    byte[] claimsTwoGigabytes = {(byte) 0xfe, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f};

    assertUnreadable("\"bytes\"", claimsTwoGigabytes);
    assertUnreadable("\"string\"", claimsTwoGigabytes);
    assertUnreadable("{\"type\":\"array\",\"items\":\"int\"}", claimsTwoGigabytes);
  }

  @Test
  void fewBytesCantGrowWithoutBound() {
    byte[] aTrillionNulls = {
      (byte) 0x80, (byte) 0xa0, (byte) 0x94, (byte) 0xa5, (byte) 0x8d, 0x1d, 0
    };

    assertThatThrownBy(() -> decode("{\"type\":\"array\",\"items\":\"null\"}", aTrillionNulls))
        .isInstanceOf(UnfitValueException.class)
        .hasMessageContaining("larger than");
    assertThatThrownBy(() -> decode(LIST, onesThenZero(100_000)))
        .isInstanceOf(UnfitValueException.class)
        .hasMessageContaining("nested deeper");
    assertThat(decode(LIST, onesThenZero(400))).startsWith("{\"next\":{\"next\"");
  }

  private static byte[] onesThenZero(int ones) {
    byte[] bytes = new byte[ones + 1];
    Arrays.fill(bytes, (byte) 2);
    bytes[ones] = 0;
    return bytes;
  }

  @Test
  void whatIsNotExactlyOneValueIsUnreadable() {
    assertUnreadable("\"int\"", new byte[] {});
    assertUnreadable("\"int\"", new byte[] {1, 1});
    assertUnreadable("\"int\"", encode(schema("\"long\""), 1L << 31));
    assertUnreadable("\"boolean\"", new byte[] {2});
    assertUnreadable("\"string\"", new byte[] {2, (byte) 0xff});
    assertUnreadable("[\"null\",\"int\"]", new byte[] {4});
    assertUnreadable(logical("int", "time-millis"), new byte[] {1});
    assertUnreadable(
        "{\"type\":\"map\",\"values\":\"int\"}", new byte[] {4, 2, 'a', 0, 2, 'a', 2, 0});
    byte[] tooLong = new byte[11];
    Arrays.fill(tooLong, (byte) 0x80);
    assertUnreadable("\"long\"", tooLong);
  }

  private static void assertUnreadable(String schema, byte[] bytes) {
    assertThatThrownBy(() -> decode(schema, bytes)).isInstanceOf(UnfitValueException.class);
  }
}
