package dev.ingest.postgres.locks;

/**
 * A statement without what a user may have written into it: literals become {@code ?}, comments and
 * line breaks a blank. Where it is unclear what is a literal, the rest is cut.
 */
final class QueryText {
  private static final String CUT = "…";

  private final String text;
  private final StringBuilder clean = new StringBuilder();
  private int at;

  private QueryText(String text) {
    this.text = text;
  }

  static String withoutLiterals(String statement) {
    return new QueryText(statement).clean();
  }

  private String clean() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '\'') {
        literal(isEscaping());
      } else if (c == '"') {
        keep(endOf('"'));
      } else if (c == '$' && !follows()) {
        dollar();
      } else if (Character.isDigit(c) && !follows()) {
        number();
      } else if (text.startsWith("--", at)) {
        blank(end(text.indexOf('\n', at), 1));
      } else if (text.startsWith("/*", at)) {
        blank(endOfComment());
      } else if (Character.isWhitespace(c)) {
        blank(at + 1);
      } else {
        keep(at + 1);
      }
    }
    return clean.toString().strip();
  }

  /** Whether the character before belongs to a name, so that this one does too. */
  private boolean follows() {
    char before = at == 0 ? ' ' : text.charAt(at - 1);
    return Character.isLetterOrDigit(before) || before == '_' || before == '$';
  }

  /** Whether a prefix such as E makes backslashes escape. */
  private boolean isEscaping() {
    boolean prefixed = at > 0 && "eE".indexOf(text.charAt(at - 1)) >= 0;
    int start = at - 1;
    return prefixed && (start == 0 || !Character.isLetterOrDigit(text.charAt(start - 1)));
  }

  private void literal(boolean escaping) {
    int end = at + 1;
    while (end < text.length()) {
      char c = text.charAt(end);
      if (c == '\\' && !escaping) {
        cut(); // an escape or not, by a setting of that session
        return;
      }
      if (c == '\\' || text.startsWith("''", end)) {
        end += 2;
      } else if (c == '\'') {
        clean.append('?');
        at = end + 1;
        return;
      } else {
        end++;
      }
    }
    cut();
  }

  private void dollar() {
    int tagEnd = text.indexOf('$', at + 1);
    String tag = tagEnd < 0 ? "" : text.substring(at, tagEnd + 1);
    if (!tag.matches("\\$([^\\W\\d]\\w*)?\\$")) {
      keep(at + 1); // a parameter, such as $1
      while (at < text.length() && Character.isDigit(text.charAt(at))) {
        keep(at + 1);
      }
      return;
    }
    int close = text.indexOf(tag, tagEnd + 1);
    if (close < 0) {
      cut();
    } else {
      clean.append('?');
      at = close + tag.length();
    }
  }

  private void number() {
    int end = at;
    while (end < text.length() && isOfNumber(end)) {
      end++;
    }
    clean.append('?');
    at = end;
  }

  private boolean isOfNumber(int index) {
    char c = text.charAt(index);
    boolean sign = "+-".indexOf(c) >= 0 && "eE".indexOf(text.charAt(index - 1)) >= 0;
    return Character.isLetterOrDigit(c) || c == '.' || c == '_' || sign;
  }

  private int endOf(char quote) {
    return end(text.indexOf(quote, at + 1), 1);
  }

  /** Comments nest. */
  private int endOfComment() {
    int depth = 0;
    for (int i = at; i < text.length() - 1; i++) {
      if (text.startsWith("/*", i)) {
        depth++;
        i++;
      } else if (text.startsWith("*/", i)) {
        depth--;
        i++;
      }
      if (depth == 0) {
        return i + 1;
      }
    }
    return text.length();
  }

  private int end(int found, int length) {
    return found < 0 ? text.length() : found + length;
  }

  private void keep(int end) {
    clean.append(text, at, end);
    at = end;
  }

  private void blank(int end) {
    if (!clean.isEmpty() && clean.charAt(clean.length() - 1) != ' ') {
      clean.append(' ');
    }
    at = end;
  }

  private void cut() {
    clean.append(CUT);
    at = text.length();
  }
}
