package dev.ingest.mapping;

import dev.ingest.mapping.ValueForm.Notation;
import java.util.Base64;
import java.util.HexFormat;

/** Bytes that are written as text, for bytea columns. */
final class BytesText {
  private BytesText() {}

  static TextRule of(Notation notation) {
    return switch (notation) {
      case BASE64 -> (state, text) -> hex(base64(text));
      case HEX -> (state, text) -> hex(digits(text));
      default -> (state, text) -> text;
    };
  }

  /** As the input function takes bytes, whatever {@code bytea_output} says. */
  private static String hex(byte[] bytes) {
    return "\\x" + HexFormat.of().formatHex(bytes);
  }

  private static byte[] base64(String text) {
    try {
      boolean urlSafe = text.indexOf('-') >= 0 || text.indexOf('_') >= 0;
      return (urlSafe ? Base64.getUrlDecoder() : Base64.getDecoder()).decode(text);
    } catch (IllegalArgumentException other) {
      throw new UnfitValueException("22023", "text is not base64");
    }
  }

  private static byte[] digits(String text) {
    try {
      return HexFormat.of().parseHex(text);
    } catch (IllegalArgumentException other) {
      throw new UnfitValueException("22023", "text is not hexadecimal");
    }
  }
}
