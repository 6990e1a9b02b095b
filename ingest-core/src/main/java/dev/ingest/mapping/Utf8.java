package dev.ingest.mapping;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/** Strict decoding: what is not UTF-8 is refused, never replaced. */
public final class Utf8 {
  private static final char REPLACEMENT = '\uFFFD';

  private Utf8() {}

  /**
   * @throws UnfitValueException where the bytes are not UTF-8 (22021)
   */
  public static String decode(byte[] bytes) {
    return decode(bytes, 0, bytes.length);
  }

  /**
   * The same for a part of an array.
   *
   * @throws UnfitValueException where the bytes are not UTF-8 (22021)
   */
  static String decode(byte[] bytes, int from, int length) {
    String text = new String(bytes, from, length, UTF_8);
    // The fast decoder replaces what it can't read; only then is the slow, strict one asked.
    if (text.indexOf(REPLACEMENT) >= 0 && !isValid(ByteBuffer.wrap(bytes, from, length))) {
      throw new UnfitValueException("22021", "value is not valid UTF-8");
    }
    return text;
  }

  public static boolean isValid(byte[] bytes) {
    return isValid(ByteBuffer.wrap(bytes));
  }

  private static boolean isValid(ByteBuffer bytes) {
    try {
      UTF_8.newDecoder().decode(bytes);
      return true;
    } catch (CharacterCodingException notUtf8) {
      return false;
    }
  }

  /**
   * Checks that PostgreSQL's text can hold a string that did not come from strict decoding.
   *
   * @throws UnfitValueException for U+0000 and unpaired surrogates
   */
  public static String storable(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        throw new UnfitValueException("22021", "text holds U+0000");
      }
      if (Character.isSurrogate(c)) {
        if (Character.isLowSurrogate(c)
            || i + 1 == text.length()
            || !Character.isLowSurrogate(text.charAt(i + 1))) {
          throw new UnfitValueException("22P05", "text holds an unpaired surrogate");
        }
        i++;
      }
    }
    return text;
  }
}
