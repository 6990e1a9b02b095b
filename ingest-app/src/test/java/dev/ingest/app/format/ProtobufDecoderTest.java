package dev.ingest.app.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import dev.ingest.mapping.UnfitValueException;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProtobufDecoderTest {
  private final ProtobufDecoder decoder = new ProtobufDecoder(OrderSchema.FILE);
  private final Descriptor order = OrderSchema.FILE.findMessageTypeByName("Order");

  private static FieldDescriptor field(Message.Builder message, String name) {
    return message.getDescriptorForType().findFieldByName(name);
  }

  private static void set(Message.Builder message, String name, Object value) {
    message.setField(field(message, name), value);
  }

  private String json(Message message) {
    return decode(new byte[] {0}, message.toByteArray());
  }

  private String decode(byte[] indexes, byte[] message) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(indexes);
    bytes.writeBytes(message);
    return new String(Documents.write(decoder, bytes.toByteArray(), 0), UTF_8);
  }

  /** A message of a field, with its fields set by number. */
  private static Message part(Message.Builder parent, String name, Object... values) {
    Message.Builder part = parent.newBuilderForField(field(parent, name));
    for (int i = 0; i < values.length; i++) {
      part.setField(part.getDescriptorForType().findFieldByNumber(i + 1), values[i]);
    }
    return part.build();
  }

  @Test
  void fieldsWithoutPresenceHaveAValueAlwaysAndOthersOnlyWhenSet() {
    assertThat(json(DynamicMessage.getDefaultInstance(order)))
        .isEqualTo(
            "{\"order_id\":\"\",\"big\":0,\"huge\":0,\"state\":\"NEW\",\"tags\":[],\"counts\":{},"
                + "\"raw\":\"\"}");
  }

  @Test
  void valuesKeepEveryDigit() {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(order);
    set(message, "order_id", "é😀");
    set(message, "big", Long.MIN_VALUE);
    set(message, "huge", -1L);
    set(message, "state", order.getFile().findEnumTypeByName("State").findValueByNumber(1));
    set(message, "maybe", 0);
    set(message, "tags", List.of("a", "b"));
    set(message, "raw", ByteString.copyFrom(new byte[] {0, -1}));
    set(message, "at", part(message, "at", 1517363399L, 650_000_001));
    set(message, "took", part(message, "took", -1L, -500_000_000));
    set(message, "amount", part(message, "amount", -1L));
    set(message, "card", "visa");
    message.addRepeatedField(field(message, "counts"), part(message, "counts", "k", 7L));

    assertThat(json(message.build()))
        .isEqualTo(
            "{\"order_id\":\"é😀\",\"big\":-9223372036854775808,\"huge\":18446744073709551615,"
                + "\"state\":\"PAID\",\"maybe\":0,\"tags\":[\"a\",\"b\"],\"counts\":{\"k\":7},"
                + "\"at\":\"2018-01-31T01:49:59.650000001Z\",\"took\":\"PT-1.5S\","
                + "\"amount\":18446744073709551615,\"card\":\"visa\",\"raw\":\"AP8=\"}");
  }

  @Test
  void indexesLeadToANestedMessage() {
    Descriptor line = order.findNestedTypeByName("Line");
    DynamicMessage.Builder message = DynamicMessage.newBuilder(line);
    set(message, "sku", "s");

    assertThat(decode(new byte[] {4, 0, 0}, message.build().toByteArray()))
        .isEqualTo("{\"sku\":\"s\"}");
    assertThat(decode(new byte[] {2, 2}, new byte[] {})).isEqualTo("{\"n\":0}");
    assertUnreadable(new byte[] {2, 8}, new byte[] {});
    assertUnreadable(new byte[] {2, 1}, new byte[] {});
    assertUnreadable(new byte[] {1}, new byte[] {});
    assertUnreadable(new byte[] {}, new byte[] {});
  }

  @Test
  void enumNumberWithoutANameIsKept() {
    assertThat(decode(new byte[] {0}, new byte[] {4 << 3, 99})).contains("\"state\":99");
  }

  @Test
  void lastEntryOfAMapKeyHolds() {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(order);
    message.addRepeatedField(field(message, "counts"), part(message, "counts", "k", 1L));
    message.addRepeatedField(field(message, "counts"), part(message, "counts", "k", 2L));

    assertThat(json(message.build())).contains("\"counts\":{\"k\":2}");
  }

  @Test
  void stringThatIsNotUtf8IsUnreadable() {
    assertUnreadable(new byte[] {0}, new byte[] {1 << 3 | 2, 1, (byte) 0xff});
  }

  private void assertUnreadable(byte[] indexes, byte[] message) {
    assertThatThrownBy(() -> decode(indexes, message)).isInstanceOf(UnfitValueException.class);
  }
}
