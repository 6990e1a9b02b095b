package dev.ingest.postgres;

import java.util.List;
import java.util.stream.Collectors;

/** Pieces of SQL made of names and values from elsewhere. */
final class Sql {
  private Sql() {}

  static String identifier(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  static String identifiers(List<String> names) {
    return names.stream().map(Sql::identifier).collect(Collectors.joining(", "));
  }

  /** A literal that reads the same whatever {@code standard_conforming_strings} says. */
  static String literal(String text) {
    return "E'" + text.replace("\\", "\\\\").replace("'", "''") + "'";
  }

  /**
   * A time from milliseconds since 1970. Seconds and milliseconds apart: an interval is multiplied
   * as a double, which keeps both exactly until the year 20000.
   */
  static String timeOfMillis(String millis) {
    return "timestamptz 'epoch' + %1$s / 1000 * interval '1 second' + %1$s %% 1000 * interval '1 millisecond'"
        .formatted(millis);
  }

  /** An expression of the server's with its question marks doubled, as the driver wants them. */
  static String withoutPlaceholders(String expression) {
    StringBuilder escaped = new StringBuilder(expression.length());
    char quote = 0;
    for (int i = 0; i < expression.length(); i++) {
      char c = expression.charAt(i);
      if (c == quote) {
        quote = 0;
      } else if (quote == 0 && (c == '\'' || c == '"')) {
        quote = c;
      }
      escaped.append(c);
      if (c == '?' && quote == 0) {
        escaped.append('?');
      }
    }
    return escaped.toString();
  }
}
