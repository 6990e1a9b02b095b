package dev.ingest.app.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.google.protobuf.DynamicMessage;
import dev.ingest.mapping.UnfitValueException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.junit.jupiter.api.Test;

/** Whatever bytes come, a decoder gives one whole JSON document or says in a word why not. */
class DecoderFuzzTest {
  private static final int ROUNDS = 20_000;

  private final long seed = new SplittableRandom().nextLong();
  private final SplittableRandom random = new SplittableRandom(seed);
  private int readable;

  @Test
  void avroBytesOfAnyKindAreDecodedOrRefused() {
    Schema schema =
        AvroDecoderTest.schema(
            """
            {"type":"record","name":"R","fields":[
              {"name":"l","type":"long"},
              {"name":"s","type":["null","string"]},
              {"name":"t","type":{"type":"long","logicalType":"timestamp-micros"}},
              {"name":"n","type":{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}},
              {"name":"a","type":{"type":"array","items":{"type":"map","values":"double"}}},
              {"name":"r","type":["null","R"]}]}
            """);
    GenericData.Record value = new GenericData.Record(schema);
    value.put("l", 1L << 40);
    value.put("s", "häst");
    value.put("t", 1517363399650123L);
    value.put("n", ByteBuffer.wrap(new byte[] {1, 2, 3}));
    value.put("a", List.of(Map.of("x", 1.5), Map.of()));

    fuzz(new AvroDecoder(schema), AvroDecoderTest.encode(schema, value));
  }

  @Test
  void protobufBytesOfAnyKindAreDecodedOrRefused() {
    DynamicMessage.Builder value =
        DynamicMessage.newBuilder(OrderSchema.FILE.findMessageTypeByName("Order"));
    value.setField(value.getDescriptorForType().findFieldByName("order_id"), "häst");
    value.setField(value.getDescriptorForType().findFieldByName("big"), 1L << 40);
    value.setField(value.getDescriptorForType().findFieldByName("tags"), List.of("a", "b"));
    byte[] message = value.build().toByteArray();
    byte[] bytes = new byte[message.length + 1];
    System.arraycopy(message, 0, bytes, 1, message.length);

    fuzz(new ProtobufDecoder(OrderSchema.FILE), bytes);
  }

  private void fuzz(Decoder decoder, byte[] good) {
    check(decoder, good);
    assertThat(readable).isOne();
    for (int length = 0; length < good.length; length++) {
      check(decoder, Arrays.copyOf(good, length));
    }
    for (int i = 0; i < ROUNDS; i++) {
      check(decoder, mutated(good));
    }
    assertThat(readable).as("some survive, seed=%d", seed).isBetween(2, ROUNDS);
  }

  private byte[] mutated(byte[] good) {
    byte[] bytes = Arrays.copyOf(good, Math.max(0, good.length + random.nextInt(-3, 4)));
    for (int i = random.nextInt(1, 4); i > 0 && bytes.length > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }

  private void check(Decoder decoder, byte[] bytes) {
    byte[] document;
    try {
      document = Documents.write(decoder, bytes, 0);
    } catch (UnfitValueException refused) {
      assertThat(refused.reason()).doesNotContain("häst").hasSizeLessThan(120);
      return;
    } catch (Throwable other) {
      throw new AssertionError("seed=" + seed + " bytes=" + Arrays.toString(bytes), other);
    }
    readable++;
    try (JsonParser parser = new JsonFactory().createParser(document)) {
      parser.nextToken();
      parser.skipChildren();
      assertThat(parser.nextToken()).as("seed=%d", seed).isNull();
    } catch (IOException broken) {
      throw new AssertionError("seed=" + seed + " bytes=" + Arrays.toString(bytes), broken);
    }
  }
}
