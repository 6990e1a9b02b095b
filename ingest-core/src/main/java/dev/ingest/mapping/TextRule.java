package dev.ingest.mapping;

import dev.ingest.mapping.Fields.State;

/**
 * Turns the text of a value into what the input function of a column's type takes, or refuses it
 * where the column would alter it. Implementations are thread-safe.
 */
@FunctionalInterface
public interface TextRule {
  /**
   * @param state what stands in the JSON document; {@code STRING} for a text from elsewhere
   * @throws UnfitValueException where the value would not survive
   */
  String apply(State state, String text);

  /**
   * The rule for a column.
   *
   * @throws IllegalArgumentException where the form makes no sense for the type; the message
   *     continues a sentence that began with the setting
   */
  static TextRule of(ColumnType type, ValueForm form) {
    TextRule rule =
        switch (type.kind()) {
          case TIMESTAMPTZ, TIMESTAMP -> new TimestampText(type, form);
          case DATE -> TimeText::date;
          case TIME, TIMETZ -> (state, text) -> TimeText.ofDay(text, type, form.lossy());
          case INTERVAL -> (state, text) -> TimeText.interval(text, type, form.lossy());
          case INTEGER -> NumberText::integer;
          case NUMERIC -> NumberText.numeric(type, form.lossy());
          case REAL -> NumberText.real(form.lossy());
          case DOUBLE -> NumberText.doublePrecision(form.lossy());
          case BYTES -> BytesText.of(form.notation());
          case ARRAY -> ArrayText.of(type, form);
          case TEXT -> type.hasLimit() ? limited(type.limit()) : (state, text) -> text;
          case CHAR -> padded(limited(type.hasLimit() ? type.limit() : Integer.MAX_VALUE));
          case JSON, UUID, OTHER -> (state, text) -> text;
        };
    requireMeaning(type, form);
    return rule;
  }

  /** Spaces at the end are lost among those that the server adds. */
  private static TextRule padded(TextRule limit) {
    return (state, text) -> {
      if (text.endsWith(" ")) {
        throw new UnfitValueException(
            "22001", "text ends with a space, which a column of type char doesn't keep; use text");
      }
      return limit.apply(state, text);
    };
  }

  private static TextRule limited(int characters) {
    return (state, text) -> {
      if (text.length() > characters && text.codePointCount(0, text.length()) > characters) {
        throw new UnfitValueException(
            "22001", "text is longer than the column's " + characters + " characters");
      }
      return text;
    };
  }

  private static void requireMeaning(ColumnType type, ValueForm form) {
    ColumnType scalar = type;
    while (scalar.element() != null) {
      scalar = scalar.element();
    }
    boolean fits =
        switch (scalar.kind()) {
          case TIMESTAMPTZ, TIMESTAMP -> !form.notation().isBytes();
          case BYTES -> form.zone().isEmpty() && !form.lossy() && isBytesOrPlain(form);
          case NUMERIC, REAL, DOUBLE, TIME, TIMETZ, INTERVAL ->
              form.notation() == ValueForm.Notation.PLAIN && form.zone().isEmpty();
          default -> form.equals(ValueForm.PLAIN);
        };
    if (!fits) {
      throw new IllegalArgumentException(
          "has a form that the column's type has no use for; iso, epoch-… and zone= go with"
              + " timestamps, base64 and hex with bytea, lossy with numbers and times");
    }
  }

  private static boolean isBytesOrPlain(ValueForm form) {
    return form.notation() == ValueForm.Notation.PLAIN || form.notation().isBytes();
  }
}
