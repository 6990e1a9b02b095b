package dev.ingest.postgres;

import dev.ingest.mapping.ColumnType;
import dev.ingest.mapping.TextRule;
import dev.ingest.mapping.UnfitValueException;
import java.util.regex.Pattern;

/**
 * Locks tell keys apart by their text. Where no unique index decides after them, two texts of one
 * value would be two locks and two rows, so a column of the key must have one text for each value.
 */
final class KeyTexts {
  private static final Pattern INTEGER = Pattern.compile("0|-?[1-9][0-9]*");
  private static final Pattern UUID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private KeyTexts() {}

  /** Whether each value has one text, or one that can be told from the others. */
  static boolean canTell(ColumnType type) {
    return switch (type.kind()) {
      case TEXT, CHAR, INTEGER, UUID -> true;
      default -> false;
    };
  }

  /** The rule of such a type, for the text alone that the column shows. */
  static TextRule shown(ColumnType type, TextRule rule) {
    return switch (type.kind()) {
      case INTEGER -> only(INTEGER, rule);
      case UUID -> only(UUID, rule);
      default -> rule;
    };
  }

  private static TextRule only(Pattern shown, TextRule rule) {
    return (state, text) -> {
      if (!shown.matcher(text).matches()) {
        throw new UnfitValueException(
            "22P02",
            "the key is not written as its column shows it, and only locks on its text keep it from"
                + " a second row");
      }
      return rule.apply(state, text);
    };
  }
}
