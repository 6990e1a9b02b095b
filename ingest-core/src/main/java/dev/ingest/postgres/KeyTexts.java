package dev.ingest.postgres;

import dev.ingest.mapping.ColumnSource.Plain;
import dev.ingest.mapping.ColumnType;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.mapping.TextRule;
import dev.ingest.mapping.UnfitValueException;
import dev.ingest.postgres.MappingRules.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Locks and batches tell keys apart by their text. Where no unique index decides after them, two
 * texts of one value would be two rows; where tombstones delete, the events of one value would have
 * no order. So a column of the key must have one text for each value.
 */
final class KeyTexts {
  private static final Pattern INTEGER = Pattern.compile("0|-?[1-9][0-9]*");
  private static final Pattern UUID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private KeyTexts() {}

  /** Whether more than a unique index keeps the events of a key apart, or in order. */
  static boolean matter(TargetMapping mapping, CatalogTable table) {
    return !table.isUnique(mapping.keyColumns()) || mapping.rules().tombstone().deletes();
  }

  /** What lets one value of a key have two locks in a table without a unique index on it. */
  static List<Problem> problems(TargetMapping mapping, CatalogTable table) {
    List<Problem> problems = new ArrayList<>();
    for (String key : mapping.keyColumns()) {
      String setting = mapping.setting() + "columns." + key;
      table
          .column(key)
          .flatMap(KeyTexts::severalTexts)
          .ifPresent(
              several ->
                  problems.add(
                      new Problem(
                          "42P10",
                          setting
                              + " is part of a key that only locks keep apart, by its text, and "
                              + several
                              + ", or create a unique index")));
    }
    if (mapping.keyColumns().size() == 1 && !isFromKey(mapping)) {
      problems.add(
          new Problem(
              "42P10",
              "%scolumns.%s is all of a key that only locks on the key itself keep apart; fill it from key, or create a unique index"
                  .formatted(mapping.setting(), mapping.keyColumns().get(0))));
    }
    return problems;
  }

  private static boolean isFromKey(TargetMapping mapping) {
    return mapping.columns().stream()
        .anyMatch(
            each -> mapping.keyColumns().contains(each.column()) && each.source() == Plain.KEY);
  }

  /**
   * Why a value may have texts that can't be told from each other, and what to use instead; empty
   * where it has one text, or others that can be told.
   */
  static Optional<String> severalTexts(CatalogColumn column) {
    if (!column.deterministic()) {
      return Optional.of("its collation takes several texts for one; use a deterministic one");
    }
    return switch (column.type().rule().kind()) {
      case TEXT, CHAR, INTEGER, UUID -> Optional.empty();
      default ->
          Optional.of(
              column.type().castName()
                  + " has several texts for one value; use text, uuid or an integer type");
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
            "the key is not written as its column shows it, and locks tell keys apart by their text");
      }
      return rule.apply(state, text);
    };
  }
}
