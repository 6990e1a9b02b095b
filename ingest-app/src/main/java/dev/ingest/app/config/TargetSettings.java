package dev.ingest.app.config;

import dev.ingest.mapping.ColumnMapping;
import dev.ingest.mapping.ColumnSource;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.mapping.WriteRules;
import java.util.ArrayList;
import java.util.List;

/** The target's settings as the library takes them. */
final class TargetSettings {
  static final String PREFIX = "ingest.target.";

  /** Settings that say something of every target and that no route has of its own. */
  static final List<Setting<?>> FOR_ALL_ROUTES =
      List.of(Settings.LOCK_MODE, WriteSettings.ERRORS_MISSING_PARTITION);

  private TargetSettings() {}

  /**
   * @param values whose settings have been parsed
   * @param prefix what the names of the settings begin with, for messages
   */
  static TargetMapping of(Values values, String prefix) {
    List<ColumnMapping> columns = new ArrayList<>();
    values
        .below(Settings.TARGET_COLUMNS)
        .forEach((column, source) -> columns.add(ColumnMapping.parse(column, source)));
    TargetMapping mapping =
        columns.isEmpty()
            ? TargetMapping.event()
            : new TargetMapping(
                prefix,
                values.get(Settings.TARGET_TABLE),
                values.find(Settings.TARGET_KEY_COLUMNS).orElse(List.of()),
                columns);
    mapping = mapping.with(rules(values));
    return switch (values.get(Settings.VALUE_FORMAT)) {
      case TEXT -> mapping.withPayloadAs(ColumnSource.Plain.TEXT);
      case BYTES -> mapping.withPayloadAs(ColumnSource.Plain.BYTES);
      case JSON, AVRO, PROTOBUF -> mapping;
    };
  }

  private static WriteRules rules(Values values) {
    return new WriteRules(
        values.get(Settings.LOCK_MODE) != LockSettings.Mode.NONE,
        values.find(WriteSettings.DEDUPE_WINDOW).orElse(null),
        values.get(WriteSettings.DEDUPE_PREFILTER),
        values.get(WriteSettings.ERRORS_MISSING_PARTITION),
        values.get(WriteSettings.TOMBSTONE));
  }

  /** Sentences without a full stop. */
  static List<String> problems(Values values, String prefix) {
    List<String> problems = new ArrayList<>();
    values
        .below(Settings.TARGET_COLUMNS)
        .forEach((column, source) -> check(values, prefix, column, source, problems));
    if (values.below(Settings.TARGET_COLUMNS).isEmpty()) {
      refuse(Settings.TARGET_TABLE, prefix, values, problems);
      refuse(Settings.TARGET_KEY_COLUMNS, prefix, values, problems);
    }
    return problems;
  }

  private static void check(
      Values values, String prefix, String column, String source, List<String> problems) {
    try {
      ColumnMapping.parse(column, source);
    } catch (IllegalArgumentException none) {
      Raw raw = values.given().get(Settings.TARGET_COLUMNS.prefix() + column);
      problems.add(
          Sentence.of(
              prefix + "columns." + column,
              raw == null ? new Raw(source, Values.DEFAULT) : raw,
              InvalidValue.of(String.valueOf(none.getMessage()))));
    }
  }

  private static void refuse(
      Setting<?> setting, String prefix, Values values, List<String> problems) {
    if (values.isGiven(setting)) {
      problems.add(
          prefix
              + setting.key().substring(PREFIX.length())
              + " says nothing of the columns; add "
              + prefix
              + "columns.NAME for each, or leave it out for the default table");
    }
  }
}
