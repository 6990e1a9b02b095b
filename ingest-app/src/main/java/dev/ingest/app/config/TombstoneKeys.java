package dev.ingest.app.config;

import dev.ingest.mapping.ColumnMapping;
import dev.ingest.mapping.ColumnSource;
import dev.ingest.mapping.ColumnSource.Plain;
import dev.ingest.mapping.TombstoneRule;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds the key columns of a route that deletes against its business key: the key keeps events in
 * order, its columns find the rows, so both must say the same. Pure; used once.
 */
final class TombstoneKeys {
  private final Values values;
  private final String prefix;
  private final String given;
  private final List<KeyPart> parts;
  private final List<String> problems = new ArrayList<>();

  private TombstoneKeys(
      Values values, String prefix, TombstoneRule tombstone, List<KeyPart> parts) {
    this.values = values;
    this.prefix = prefix;
    this.given = prefix + "tombstone=" + tombstone;
    this.parts = parts;
  }

  /**
   * Sentences without a full stop.
   *
   * @param tombstone a rule that deletes
   * @param parts of the key
   */
  static List<String> problems(
      Values values, String prefix, TombstoneRule tombstone, List<KeyPart> parts) {
    TombstoneKeys keys = new TombstoneKeys(values, prefix, tombstone, parts);
    keys.check();
    return keys.problems;
  }

  private void check() {
    List<ColumnMapping> columns;
    try {
      columns = keyColumns();
    } catch (IllegalArgumentException unreadable) {
      return; // told elsewhere
    }
    List<KeyPart> found = new ArrayList<>();
    for (ColumnMapping each : columns) {
      if (each.source() instanceof ColumnSource.Header header) {
        found.add(new KeyPart.HeaderValue(header.name()));
        checkHeader(each.column(), header.name());
      }
    }
    boolean whole = columns.stream().anyMatch(each -> each.source() == Plain.KEY);
    if (!columns.isEmpty() && !whole && problems.isEmpty() && !found.containsAll(parts)) {
      problems.add(
          given
              + " finds rows by "
              + prefix
              + "target.key-columns, which hold a part of the key alone; fill one from key, or one"
              + " from each header of "
              + prefix
              + "key.from");
    }
  }

  /** Those that are named; without any it is the one that is filled from the key. */
  private List<ColumnMapping> keyColumns() {
    List<String> named = values.find(Settings.TARGET_KEY_COLUMNS).orElse(List.of());
    return values.below(Settings.TARGET_COLUMNS).entrySet().stream()
        .filter(each -> named.contains(each.getKey()))
        .map(each -> ColumnMapping.parse(each.getKey(), each.getValue()))
        .toList();
  }

  private void checkHeader(String column, String header) {
    String filled = "%starget.columns.%s=header:%s".formatted(prefix, column, header);
    if (!parts.contains(new KeyPart.HeaderValue(header))) {
      problems.add(
          "%s finds rows by %s, and %skey.from takes the key from elsewhere; take both from the same"
                  .formatted(given, filled, prefix)
              + " header, or fill the column from key");
    } else if (!values.find(Settings.KEY_NORMALIZE).orElse(List.of()).isEmpty()) {
      problems.add(
          "%s finds rows by %s, which holds the header as it came, and %skey.normalize changes the"
                  .formatted(given, filled, prefix)
              + " key; fill the column from key, or leave one of them out");
    }
  }
}
