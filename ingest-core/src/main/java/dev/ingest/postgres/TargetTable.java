package dev.ingest.postgres;

import dev.ingest.mapping.JsonFields;
import dev.ingest.mapping.WriteRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The table that events are stored in and how its columns are filled, made for the catalog as it
 * was read. Immutable.
 *
 * @param name schema-qualified, quoted where needed, as SQL wants it
 * @param fields the pointers that its columns need
 * @param arrays parameters of the insert, before those for the defaults
 * @param masks how many {@code int8[]} parameters follow, whose bits say which columns of a row are
 *     absent
 * @param columnSqls inserts one column alone, for each column of the mapping; only parsed, never
 *     run
 * @param insert for any transaction
 * @param underLocks for one that holds the locks of all its keys, where that is cheaper: looks for
 *     keys first, and is refused (23505) where somebody without the locks comes in between; null
 *     where there is none
 * @param rules what is done beside
 * @param probe how keys that are there are found before the insert meets them; null where it finds
 *     out by the unique index alone
 * @param removal how rows go for which a tombstone came; null where none does
 */
record TargetTable(
    String name,
    JsonFields fields,
    List<RowArray> arrays,
    int masks,
    List<String> columnSqls,
    InsertSql insert,
    @Nullable UnderLocks underLocks,
    WriteRules rules,
    @Nullable Probe probe,
    @Nullable Removal removal) {
  /**
   * The insert for a transaction that holds the locks of all its keys.
   *
   * @param index the unique index that refuses what somebody without the locks stores
   */
  record UnderLocks(InsertSql insert, CatalogTable.UniqueIndex index) {
    /** Ends the transaction's statements: its id, and whether the index is there still. */
    String endSql() {
      return Statements.TRANSACTION_ID_WHILE_UNIQUE.formatted(index.oid());
    }
  }

  /** Bits of a mask that are used. */
  static final int MASK_BITS = 62;

  TargetTable {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(fields, "fields");
    Objects.requireNonNull(insert, "insert");
    arrays = List.copyOf(arrays);
    columnSqls = List.copyOf(columnSqls);
  }

  /** Further columns of {@link Statements#PREPARE_TRANSACTION}. */
  String settings() {
    if (probe != null) {
      return probe.settings();
    }
    return underLocks == null ? "" : Probe.EVERYWHERE.settings();
  }

  /**
   * Why a transaction must take advisory locks, as the end of a sentence; null where it may do
   * without. Else it could store a key twice, or wait for another in a circle.
   */
  @Nullable String needsLocks() {
    if (probe != null && !probe.unique()) {
      return "has no unique index on the business key, so only locks keep keys apart";
    }
    return removal == null ? null : "has rows deleted by tombstones, whose order only locks keep";
  }

  /** Whether rows go, rather than being marked. */
  boolean deletesRows() {
    return removal != null && !removal.revives();
  }

  /** All that is sent for a chunk. */
  List<String> sqls() {
    List<String> sqls = new ArrayList<>(List.of(insert.counting()));
    if (underLocks != null) {
      sqls.add(underLocks.insert().counting());
    }
    if (removal != null) {
      sqls.add(removal.sql());
      if (removal.reviveSql() != null) {
        sqls.add(removal.reviveSql());
      }
    }
    return sqls;
  }

  String columnSql(int column) {
    return columnSqls.get(column);
  }
}
