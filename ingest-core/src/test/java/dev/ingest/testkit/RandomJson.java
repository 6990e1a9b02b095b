package dev.ingest.testkit;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.random.RandomGenerator;

/** Values that JSON can carry, the odd ones more often than chance has them. Single-threaded. */
public final class RandomJson {
  private static final List<String> ODD =
      List.of(
          "\"",
          "\\",
          "\\u0000",
          "'",
          "\t",
          "\n",
          "\r",
          "\u0001",
          "\u001f",
          "\u007f",
          "\u00a0",
          "\u0301",
          "é",
          "I\u0307",
          "\u200f",
          "\u2028",
          "\ufeff",
          "\ufffd",
          "\uffff",
          "😀",
          "\udbff\udfff",
          "{",
          "$1",
          "?",
          " ");
  private static final List<String> UNSTORABLE = List.of("\0", "\ud800", "\udc00", "\udc00\ud800");

  private static final long FIRST_SECOND = Instant.parse("-4700-01-01T00:00:00Z").getEpochSecond();
  private static final long LAST_SECOND = Instant.parse("+294200-01-01T00:00:00Z").getEpochSecond();

  private final RandomGenerator random;

  /** A moment and one way to write it. */
  public record Moment(Instant instant, String iso) {}

  public RandomJson(RandomGenerator random) {
    this.random = random;
  }

  private boolean onceIn(int times) {
    return random.nextInt(times) == 0;
  }

  /** A number by the grammar of JSON, some of them beyond what any type holds. */
  public String number() {
    StringBuilder number = new StringBuilder(onceIn(2) ? "-" : "");
    number.append(onceIn(5) ? "0" : digits(1 + random.nextInt(1, 10), true));
    if (onceIn(4)) {
      number.append(digits(random.nextInt(1, onceIn(10) ? 300 : 30), false));
      if (number.charAt(0) == '0' || number.indexOf("-0") == 0) {
        number.insert(number.charAt(0) == '-' ? 1 : 0, '7');
      }
    }
    if (onceIn(2)) {
      number.append('.').append(digits(random.nextInt(1, onceIn(10) ? 300 : 12), false));
    }
    if (onceIn(5)) {
      number.append(onceIn(2) ? 'e' : 'E').append(List.of("", "+", "-").get(random.nextInt(3)));
      number.append(random.nextInt(onceIn(20) ? 200_000 : 400));
    }
    return number.toString();
  }

  private String digits(int count, boolean leading) {
    StringBuilder digits = new StringBuilder();
    for (int i = 0; i < count; i++) {
      digits.append((char) ('0' + random.nextInt(i == 0 && leading ? 1 : 0, 10)));
    }
    return digits.toString();
  }

  /** Characters of all planes; one text in thirty holds what PostgreSQL's text can't. */
  public String text() {
    StringBuilder text = new StringBuilder();
    int parts = random.nextInt(16);
    for (int i = 0; i < parts; i++) {
      switch (random.nextInt(3)) {
        case 0 -> text.append(ODD.get(random.nextInt(ODD.size())));
        case 1 -> text.append((char) random.nextInt(0x20, 0x7f));
        default -> text.appendCodePoint(codePoint());
      }
    }
    if (onceIn(30)) {
      text.insert(
          random.nextInt(text.length() + 1), UNSTORABLE.get(random.nextInt(UNSTORABLE.size())));
    }
    return text.toString();
  }

  private int codePoint() {
    int any = random.nextInt(1, Character.MAX_CODE_POINT + 1);
    return any <= 0xffff && Character.isSurrogate((char) any) ? 'x' : any;
  }

  /** Whether PostgreSQL's text can hold it: no U+0000 and no unpaired surrogate. */
  public static boolean isStorable(String text) {
    return text.codePoints().noneMatch(each -> each == 0 || (each >= 0xd800 && each <= 0xdfff));
  }

  /** The text as a JSON string, what must be escaped and some of the rest escaped. */
  public String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (pair && !onceIn(3)) {
        json.append(c).append(text.charAt(++i));
      } else if (c < 0x20 || c == '"' || c == '\\' || Character.isSurrogate(c) || onceIn(9)) {
        json.append("\\u%04x".formatted((int) c));
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }

  /** A moment that timestamptz can hold, in one of ISO's ways, some of them finer than it keeps. */
  public Moment moment() {
    long second =
        onceIn(4) ? random.nextLong(FIRST_SECOND, LAST_SECOND) : random.nextLong(4_000_000_000L);
    String fraction = onceIn(3) ? "" : digits(random.nextInt(1, onceIn(10) ? 10 : 7), false);
    int nanos = Integer.parseInt((fraction + "000000000").substring(0, 9));
    ZoneOffset offset = ZoneOffset.ofTotalSeconds(onceIn(2) ? 0 : 900 * random.nextInt(-48, 57));
    LocalDateTime local = LocalDateTime.ofEpochSecond(second, 0, offset);
    String iso =
        "%s-%02d-%02d%s%02d:%02d:%02d%s%s"
            .formatted(
                year(local.getYear()),
                local.getMonthValue(),
                local.getDayOfMonth(),
                onceIn(3) ? " " : "T",
                local.getHour(),
                local.getMinute(),
                local.getSecond(),
                fraction.isEmpty() ? "" : "." + fraction,
                offset.equals(ZoneOffset.UTC) && onceIn(2) ? "+00:00" : offset.getId());
    return new Moment(Instant.ofEpochSecond(second, nanos), iso);
  }

  private static String year(int year) {
    String digits = "%04d".formatted(Math.abs(year));
    return year < 0 ? "-" + digits : (year > 9999 ? "+" : "") + digits;
  }
}
