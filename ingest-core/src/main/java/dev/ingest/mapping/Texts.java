package dev.ingest.mapping;

import dev.ingest.event.Utf8;

/** Text that a column can take: what it can't hold is refused, never replaced. */
public final class Texts {
  private Texts() {}

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
    String text = Utf8.decode(bytes, from, length);
    if (text == null) {
      throw new UnfitValueException("22021", "value is not valid UTF-8");
    }
    return text;
  }

  /**
   * Checks that PostgreSQL's text can hold a string that did not come from strict decoding.
   *
   * @throws UnfitValueException for U+0000 and unpaired surrogates
   */
  public static String storable(String text) {
    if (text.indexOf('\0') >= 0) {
      throw new UnfitValueException("22021", "text holds U+0000");
    }
    if (Utf8.unpairedSurrogate(text) >= 0) {
      throw new UnfitValueException("22P05", "text holds an unpaired surrogate");
    }
    return text;
  }
}
