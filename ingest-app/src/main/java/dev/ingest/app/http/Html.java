package dev.ingest.app.http;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Pieces of a page. Everything that comes from outside goes through {@link #text}. */
final class Html {
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("MMM d, HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Html() {}

  /** Text, safe between tags and in quoted attributes. */
  static String text(String raw) {
    return raw.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /** A count with its digits in groups of three. */
  static String number(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** A moment in UTC. */
  static String time(Instant at) {
    return "<time datetime=\"" + at + "\">" + CLOCK.format(at) + "</time>";
  }

  /** How long ago something was, roughly. */
  static String ago(Instant then, Instant now) {
    if (then.equals(Instant.EPOCH)) {
      return "never";
    }
    Duration age = Duration.between(then, now);
    return age.toMillis() < 1000 ? "now" : span(age) + " ago";
  }

  /** A span of time, roughly. */
  static String span(Duration time) {
    long millis = Math.max(0, time.toMillis());
    if (millis < 60_000) {
      return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
    }
    long minutes = millis / 60_000;
    if (minutes < 120) {
      return minutes + " min";
    }
    return minutes < 48 * 60 ? minutes / 60 + " h" : minutes / (24 * 60) + " days";
  }

  /**
   * A table that scrolls sideways where the window is narrow.
   *
   * @param heads of the columns; one that begins with {@code #} holds numbers
   * @param rows cells that are HTML already
   * @param ifEmpty what to say in place of a table without rows
   */
  static String table(String title, List<String> heads, List<List<String>> rows, String ifEmpty) {
    String body =
        rows.isEmpty()
            ? "<p class=\"empty\">" + text(ifEmpty) + "</p>"
            : "<div class=\"scroll\"><table><thead><tr>"
                + heads.stream().map(Html::head).collect(Collectors.joining())
                + "</tr></thead><tbody>"
                + rows.stream().map(row -> row(heads, row)).collect(Collectors.joining())
                + "</tbody></table></div>";
    return "<section><h2>" + text(title) + "</h2>" + body + "</section>";
  }

  private static String head(String head) {
    return isNumber(head)
        ? "<th scope=\"col\" class=\"n\">" + text(head.substring(1)) + "</th>"
        : "<th scope=\"col\">" + text(head) + "</th>";
  }

  private static String row(List<String> heads, List<String> cells) {
    StringBuilder row = new StringBuilder("<tr>");
    for (int i = 0; i < cells.size(); i++) {
      if (i == 0) {
        row.append("<th scope=\"row\">").append(cells.get(i)).append("</th>");
      } else {
        row.append(isNumber(heads.get(i)) ? "<td class=\"n\">" : "<td>");
        row.append(cells.get(i)).append("</td>");
      }
    }
    return row.append("</tr>").toString();
  }

  private static boolean isNumber(String head) {
    return head.startsWith("#");
  }

  /** A label with a mark whose shape, not only its colour, tells the state. */
  static String mark(Tone tone, String label) {
    return "<span class=\"mark %s\"><span aria-hidden=\"true\">%s</span> %s</span>"
        .formatted(Words.of(tone), tone.shape(), text(label));
  }

  /** Named figures side by side: name, value, name, value. */
  static String figures(String... namesAndValues) {
    StringBuilder list = new StringBuilder("<dl class=\"figures\">");
    List<String> all = Arrays.asList(namesAndValues);
    for (int i = 0; i < all.size(); i += 2) {
      list.append("<div><dt>").append(text(all.get(i))).append("</dt><dd>");
      list.append(all.get(i + 1)).append("</dd></div>");
    }
    return list.append("</dl>").toString();
  }
}
