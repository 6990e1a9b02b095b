package dev.ingest.app.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Words that stand in secrets, keys, payloads and headers and may stand nowhere else, in none of
 * the forms that bytes are shown in. What was looked at is kept as text. One thread.
 */
final class Canaries {
  static final String SECRET = "zqsecretwx";
  static final String KEY = "zqkeywordwx";
  static final String PAYLOAD = "zqpayloadwx";
  static final String HEADER = "zqheaderwx";

  private static final int SHORTEST_TEXT = 20;

  private final Map<String, String> seen = new LinkedHashMap<>();

  /** Takes note of all that was written or answered somewhere. */
  void look(String where, String text) {
    seen.merge(where, text, String::concat);
  }

  /** None of the words is in anything that was looked at, and something was there to look at. */
  void assertSilent() {
    seen.forEach(
        (where, text) -> {
          assertThat(text.length()).as("length of " + where).isGreaterThan(SHORTEST_TEXT);
          for (String word : new String[] {SECRET, KEY, PAYLOAD, HEADER}) {
            assertThat(text.toLowerCase(Locale.ROOT))
                .as(where)
                .doesNotContain(word)
                .doesNotContain(HexFormat.of().formatHex(word.getBytes(UTF_8)));
            // As base64 from any of the three places that a word can begin at.
            for (int shift = 0; shift < 3; shift++) {
              assertThat(text).as(where).doesNotContain(base64(word, shift));
            }
          }
        });
  }

  private static String base64(String word, int shift) {
    String whole = Base64.getEncoder().encodeToString((" ".repeat(shift) + word).getBytes(UTF_8));
    return whole.substring(4, whole.length() - 4);
  }
}
