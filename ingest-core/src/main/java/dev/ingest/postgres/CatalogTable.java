package dev.ingest.postgres;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A table as the catalog has it. Immutable.
 *
 * @param name qualified and quoted where needed, as SQL wants it
 * @param kind {@code pg_class.relkind}
 * @param columns in the table's order
 * @param uniqueIndexes columns of each unique index that ON CONFLICT can use: valid, immediate,
 *     without expressions and WHERE
 * @param role who we are to the server
 */
record CatalogTable(
    String name,
    char kind,
    List<CatalogColumn> columns,
    List<List<String>> uniqueIndexes,
    String role) {

  CatalogTable {
    columns = List.copyOf(columns);
    uniqueIndexes = List.copyOf(uniqueIndexes);
  }

  Optional<CatalogColumn> column(String wanted) {
    return columns.stream().filter(each -> each.name().equals(wanted)).findFirst();
  }

  /** Whether a unique index is on exactly these columns, in any order. */
  boolean isUnique(List<String> names) {
    Set<String> wanted = Set.copyOf(names);
    return uniqueIndexes.stream().anyMatch(index -> Set.copyOf(index).equals(wanted));
  }
}
