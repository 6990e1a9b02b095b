package dev.ingest.app.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.event.Header;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Headers of a record as one text, whatever their names and values hold: for each header the name
 * and, after a colon where it has one, the value, both in Base64, and a comma.
 */
final class HeaderText {
  private static final String END = ",";
  private static final char VALUE = ':';

  private HeaderText() {}

  static String of(List<Header> headers) {
    StringBuilder text = new StringBuilder();
    for (Header header : headers) {
      text.append(encode(header.name().getBytes(UTF_8)));
      byte[] value = header.value();
      if (value != null) {
        text.append(VALUE).append(encode(value));
      }
      text.append(END);
    }
    return text.toString();
  }

  /** In the same order; none of the empty text. */
  static List<Header> read(String text) {
    List<String> all = List.of(text.split(END, -1));
    return all.subList(0, all.size() - 1).stream().map(HeaderText::header).toList();
  }

  @SuppressWarnings("NullAway") // sees no annotation of an array in a record of another module
  private static Header header(String text) {
    int colon = text.indexOf(VALUE);
    String name = colon < 0 ? text : text.substring(0, colon);
    byte @Nullable [] value = colon < 0 ? null : decode(text.substring(colon + 1));
    return new Header(new String(decode(name), UTF_8), value);
  }

  private static String encode(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static byte[] decode(String text) {
    return Base64.getDecoder().decode(text);
  }
}
