package dev.ingest.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/** Strict conversion: what is not UTF-8, or has no UTF-8 form, is told, never replaced. */
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

  /** Index of the first surrogate without its other half, which UTF-8 can't express; or -1. */
  public static int unpairedSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (!Character.isSupplementaryCodePoint(text.codePointAt(i))) {
          return i;
        }
        i++;
      }
    }
    return -1;
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
