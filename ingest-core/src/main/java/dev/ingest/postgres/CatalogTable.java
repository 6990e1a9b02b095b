package dev.ingest.postgres;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A table as the catalog has it. Immutable.
 *
 * @param name qualified and quoted where needed, as SQL wants it
 * @param kind {@code pg_class.relkind}
 * @param columns in the table's order
 * @param uniqueIndexes each unique index that ON CONFLICT can use: valid, immediate, without
 *     expressions and WHERE
 * @param partitions what it is divided into
 * @param indexes B-trees that can find a row, of the table itself and of its partitions
 * @param access what our role may do with rows
 */
record CatalogTable(
    String name,
    char kind,
    List<CatalogColumn> columns,
    List<UniqueIndex> uniqueIndexes,
    Partitions partitions,
    List<Index> indexes,
    Access access) {

  /**
   * What our role may do with rows.
   *
   * @param role who we are to the server
   * @param deletable whether it may delete rows
   * @param hiding commands from which a policy of row-level security may hide rows
   */
  record Access(String role, boolean deletable, List<String> hiding) {
    Access {
      hiding = List.copyOf(hiding);
    }
  }

  /** A unique index by its oid, and its columns in order. */
  record UniqueIndex(long oid, List<String> columns) {
    UniqueIndex {
      columns = List.copyOf(columns);
    }
  }

  /**
   * What a table is divided into.
   *
   * @param leaves names of the partitions that hold rows; empty where it is one table
   * @param rangeColumn the first column by whose ranges it is divided; null where there is none
   */
  record Partitions(List<String> leaves, @Nullable String rangeColumn) {
    Partitions {
      leaves = List.copyOf(leaves);
    }
  }

  /**
   * A B-tree without expressions and WHERE.
   *
   * @param relation whose index it is
   * @param equals the operator for each column that it takes for "equal"
   */
  record Index(String relation, List<String> columns, List<String> equals) {
    Index {
      columns = List.copyOf(columns);
      equals = List.copyOf(equals);
    }

    /** The operator for "equal" on one of its columns. */
    String equal(String column) {
      return equals.get(columns.indexOf(column));
    }

    /** Whether it finds rows by these columns, in any order. */
    private boolean startsWith(Set<String> wanted) {
      return columns.size() >= wanted.size()
          && Set.copyOf(columns.subList(0, wanted.size())).equals(wanted);
    }
  }

  CatalogTable {
    columns = List.copyOf(columns);
    uniqueIndexes = List.copyOf(uniqueIndexes);
    indexes = List.copyOf(indexes);
  }

  Optional<CatalogColumn> column(String wanted) {
    return columns.stream().filter(each -> each.name().equals(wanted)).findFirst();
  }

  /** Names of columns that need a privilege which our role lacks; empty where it lacks none. */
  String lacking(Predicate<CatalogColumn> needed, Predicate<CatalogColumn> granted) {
    return columns.stream()
        .filter(needed.and(granted.negate()))
        .map(CatalogColumn::name)
        .collect(Collectors.joining(", "));
  }

  /** From which of these commands rows may be hidden, and what to do about it. */
  Optional<String> hiding(List<String> commands) {
    List<String> hiding = commands.stream().filter(access.hiding()::contains).toList();
    String role = Sql.identifier(access.role());
    return hiding.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "policies of row-level security may hide rows of %s from %s by role %s; ALTER ROLE %s"
                    .formatted(name, String.join(" and ", hiding), access.role(), role)
                + " BYPASSRLS, or let a policy for it show all rows: USING (true)");
  }

  /** Whether a unique index is on exactly these columns, in any order. */
  boolean isUnique(List<String> names) {
    return uniqueIndexOn(names).isPresent();
  }

  /** A unique index on exactly these columns, in any order. */
  Optional<UniqueIndex> uniqueIndexOn(List<String> names) {
    Set<String> wanted = Set.copyOf(names);
    return uniqueIndexes.stream()
        .filter(index -> Set.copyOf(index.columns()).equals(wanted))
        .findFirst();
  }

  boolean isPartitioned() {
    return kind == 'p';
  }

  /** An index that finds rows by these columns, of the table or else of its first partition. */
  Optional<Index> indexOn(List<String> names) {
    return indexOn(name, names)
        .or(() -> partitions.leaves().stream().findFirst().flatMap(leaf -> indexOn(leaf, names)));
  }

  private Optional<Index> indexOn(String relation, List<String> names) {
    Set<String> wanted = Set.copyOf(names);
    return indexes.stream()
        .filter(each -> each.relation().equals(relation) && each.startsWith(wanted))
        .findFirst();
  }

  /** Partitions without an index that finds rows by these columns. */
  List<String> leavesWithoutIndexOn(List<String> names) {
    return indexOn(name, names).isPresent()
        ? List.of()
        : partitions.leaves().stream().filter(leaf -> indexOn(leaf, names).isEmpty()).toList();
  }
}
