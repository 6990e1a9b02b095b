package dev.ingest.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/** Strict decoding: what is not UTF-8 is refused, never replaced. */
final class Utf8 {
  private static final char REPLACEMENT = '\uFFFD';

  private Utf8() {}

  /**
   * @throws UnfitValueException where the bytes are not UTF-8 (22021)
   */
  static String decode(byte[] bytes) {
    String text = new String(bytes, UTF_8);
    // The fast decoder replaces what it can't read; only then is the slow, strict one asked.
    if (text.indexOf(REPLACEMENT) >= 0 && !isValid(bytes)) {
      throw new UnfitValueException("22021", "value is not valid UTF-8");
    }
    return text;
  }

  static boolean isValid(byte[] bytes) {
    try {
      UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException notUtf8) {
      return false;
    }
  }
}
