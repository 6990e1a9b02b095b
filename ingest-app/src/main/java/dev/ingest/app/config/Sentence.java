package dev.ingest.app.config;

/** Wording of a problem with one value: {@code key=value is below 1; use 1..10 (ingest.yaml:3)}. */
final class Sentence {
  private static final int SHOWN = 80;

  private Sentence() {}

  static String of(String key, Raw raw, InvalidValue problem) {
    boolean hidden = problem.isConfidential() || SecretNames.matches(key);
    String origin = raw.origin().equals(Values.DEFAULT) ? "" : " (" + raw.origin() + ")";
    return key + (hidden ? "" : "=" + shown(raw.text())) + " " + problem.getMessage() + origin;
  }

  /** One line, whatever the value holds. */
  private static String shown(String text) {
    String line = text.replaceAll("\\p{Cntrl}", "?");
    return line.length() > SHOWN ? line.substring(0, SHOWN) + "…" : line;
  }
}
