package dev.ingest.app.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.ingest.mapping.UnfitValueException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.util.Base64;

/** JSON documents that decoders write: numbers exact, in size and depth bounded. */
final class Documents {
  /** A document larger than this comes from a record that is out to exhaust the heap. */
  static final int MAX_BYTES = 16 << 20;

  /** Objects and arrays in each other. */
  static final int MAX_DEPTH = 500;

  /** Digits after the point that a numeric may have; a number with more is written with E. */
  private static final int PLAIN_SCALE = 16_383;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          // The shortest digits that give the same double, as PostgreSQL shows them.
          .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
          .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
          .build();

  private Documents() {}

  /**
   * @throws UnfitValueException where the bytes can't be decoded, or give too large a document
   */
  static byte[] write(Decoder decoder, byte[] bytes, int from) {
    ByteArrayOutputStream document = new ByteArrayOutputStream(bytes.length * 2);
    try (JsonGenerator json = JSON.createGenerator(new Bounded(document))) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_JSON_CONTENT);
      decoder.decode(bytes, from, json);
    } catch (IOException impossible) {
      throw new UnfitValueException("22000", "the value can't be written as JSON");
    }
    return document.toByteArray();
  }

  static void number(BigDecimal number, JsonGenerator json) throws IOException {
    boolean plain = number.scale() >= 0 && number.scale() <= PLAIN_SCALE;
    json.writeNumber(plain ? number.toPlainString() : number.toString());
  }

  static void base64(byte[] bytes, JsonGenerator json) throws IOException {
    json.writeString(Base64.getEncoder().encodeToString(bytes));
  }

  static void checkDepth(int depth) {
    if (depth > MAX_DEPTH) {
      throw new UnfitValueException("54001", "the value is nested deeper than " + MAX_DEPTH);
    }
  }

  /** Takes so many bytes and no more. */
  private static final class Bounded extends OutputStream {
    private final ByteArrayOutputStream out;

    Bounded(ByteArrayOutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int b) {
      check(1);
      out.write(b);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      check(length);
      out.write(bytes, from, length);
    }

    private void check(int more) {
      if (out.size() + more > MAX_BYTES) {
        throw new UnfitValueException(
            "54000", "the value is larger than " + MAX_BYTES + " bytes as JSON");
      }
    }
  }
}
