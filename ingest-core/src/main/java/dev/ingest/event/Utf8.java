package dev.ingest.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/** Strict decoding: what is not UTF-8 is refused, never replaced. */
public final class Utf8 {
  private static final char REPLACEMENT = '\uFFFD';

  private Utf8() {}

  /** The text of a part of an array, null where it is not UTF-8. */
  public static @Nullable String decode(byte[] bytes, int from, int length) {
    String text = new String(bytes, from, length, UTF_8);
    // The fast decoder replaces what it can't read; only then is the slow, strict one asked.
    boolean valid = text.indexOf(REPLACEMENT) < 0 || isValid(ByteBuffer.wrap(bytes, from, length));
    return valid ? text : null;
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
}
