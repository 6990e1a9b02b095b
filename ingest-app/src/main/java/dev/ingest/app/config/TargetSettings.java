package dev.ingest.app.config;

import dev.ingest.mapping.ColumnMapping;
import dev.ingest.mapping.TargetMapping;
import java.util.ArrayList;
import java.util.List;

/** The target's settings as the library takes them. */
final class TargetSettings {
  private static final String PREFIX = "ingest.target.";

  private TargetSettings() {}

  /**
   * @param values whose settings have been parsed
   */
  static TargetMapping of(Values values) {
    List<ColumnMapping> columns = new ArrayList<>();
    values
        .below(Settings.TARGET_COLUMNS)
        .forEach((column, source) -> columns.add(ColumnMapping.parse(column, source)));
    if (columns.isEmpty()) {
      return TargetMapping.event();
    }
    return new TargetMapping(
        PREFIX,
        values.get(Settings.TARGET_TABLE),
        values.find(Settings.TARGET_KEY_COLUMNS).orElse(List.of()),
        columns);
  }

  /** Sentences without a full stop. */
  static List<String> problems(Values values) {
    List<String> problems = new ArrayList<>();
    values
        .below(Settings.TARGET_COLUMNS)
        .forEach((column, source) -> check(values, column, source, problems));
    if (values.below(Settings.TARGET_COLUMNS).isEmpty()) {
      refuse(Settings.TARGET_TABLE, values, problems);
      refuse(Settings.TARGET_KEY_COLUMNS, values, problems);
    }
    return problems;
  }

  private static void check(Values values, String column, String source, List<String> problems) {
    String key = Settings.TARGET_COLUMNS.prefix() + column;
    try {
      ColumnMapping.parse(column, source);
    } catch (IllegalArgumentException none) {
      Raw raw = values.given().get(key);
      problems.add(
          Sentence.of(
              key,
              raw == null ? new Raw(source, Values.DEFAULT) : raw,
              InvalidValue.of(String.valueOf(none.getMessage()))));
    }
  }

  private static void refuse(Setting<?> setting, Values values, List<String> problems) {
    if (values.isGiven(setting)) {
      problems.add(
          setting.key()
              + " says nothing of the columns; add ingest.target.columns.NAME for each, or leave it"
              + " out for the default table");
    }
  }
}
