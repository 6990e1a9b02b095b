package dev.ingest.mapping;

import dev.ingest.mapping.ColumnSource.Plain;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Which table events go to and how its columns are filled, as the user says it; nothing of it is
 * checked against a database. Immutable.
 *
 * @param setting what the names of its settings begin with, for messages: {@code ingest.target.}
 * @param table as SQL writes it, with or without a schema
 * @param keyColumns names of the columns that hold the business key, as the catalog has them;
 *     empty: the one that is filled from {@code key}
 * @param columns each column once
 */
public record TargetMapping(
    String setting,
    String table,
    List<String> keyColumns,
    List<ColumnMapping> columns,
    WriteRules rules) {
  private static final String SETTING = "ingest.target.";

  public TargetMapping {
    Objects.requireNonNull(setting, "setting");
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(rules, "rules");
    columns = List.copyOf(columns);
    Set<String> names = new HashSet<>();
    for (ColumnMapping each : columns) {
      if (!names.add(each.column())) {
        throw new IllegalArgumentException("Column " + each.column() + " is mapped twice.");
      }
    }
    keyColumns = keyColumns.isEmpty() ? fromKey(columns) : List.copyOf(keyColumns);
  }

  /** Written by the rules that hold where none are given. */
  public TargetMapping(
      String setting, String table, List<String> keyColumns, List<ColumnMapping> columns) {
    this(setting, table, keyColumns, columns, WriteRules.DEFAULT);
  }

  /** What the names of the settings on duplicates begin with: {@code ingest.dedupe.}. */
  public String dedupeSetting() {
    return setting.replaceFirst("target\\.$", "dedupe.");
  }

  /** The name of the setting on records without a value: {@code ingest.tombstone}. */
  public String tombstoneSetting() {
    return setting.replaceFirst("target\\.$", "tombstone");
  }

  /** The same, written by other rules. */
  public TargetMapping with(WriteRules other) {
    return new TargetMapping(setting, table, keyColumns, columns, other);
  }

  private static List<String> fromKey(List<ColumnMapping> columns) {
    return columns.stream()
        .filter(each -> each.source() == Plain.KEY)
        .map(ColumnMapping::column)
        .toList();
  }

  /** The default table {@code ingest.event}: key, position, time, payload as jsonb, headers. */
  public static TargetMapping event() {
    return new TargetMapping(
        SETTING,
        "ingest.event",
        List.of("business_key"),
        List.of(
            plain("business_key", Plain.KEY),
            plain("topic", Plain.TOPIC),
            plain("partition", Plain.PARTITION),
            plain("record_offset", Plain.OFFSET),
            plain("event_time", Plain.TIMESTAMP),
            plain("payload", Plain.PAYLOAD),
            plain("headers", Plain.HEADERS)));
  }

  /** The same, with the payload taken as plain text or as bytes. */
  public TargetMapping withPayloadAs(Plain payload) {
    List<ColumnMapping> changed =
        columns.stream()
            .map(
                each ->
                    each.source() == Plain.PAYLOAD
                        ? new ColumnMapping(each.column(), payload, each.form())
                        : each)
            .toList();
    return new TargetMapping(setting, table, keyColumns, changed, rules);
  }

  private static ColumnMapping plain(String column, Plain source) {
    return new ColumnMapping(column, source, ValueForm.PLAIN);
  }
}
