package dev.ingest.postgres;

import dev.ingest.mapping.ColumnMapping;
import dev.ingest.mapping.ColumnSource;
import dev.ingest.mapping.ColumnSource.Plain;
import dev.ingest.mapping.ColumnType.Kind;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.mapping.TombstoneRule;
import dev.ingest.postgres.CatalogColumn.Origin;
import dev.ingest.postgres.MappingRules.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Holds the rule for tombstones against the table, as {@link MappingRules} does the rest. */
final class TombstoneRules {
  private final TargetMapping mapping;
  private final CatalogTable table;
  private final String given;
  private final List<Problem> problems = new ArrayList<>();

  private TombstoneRules(TargetMapping mapping, CatalogTable table) {
    this.mapping = mapping;
    this.table = table;
    this.given = mapping.tombstoneSetting() + "=" + mapping.rules().tombstone();
  }

  static List<Problem> problems(TargetMapping mapping, CatalogTable table) {
    TombstoneRules rules = new TombstoneRules(mapping, table);
    TombstoneRule rule = mapping.rules().tombstone();
    if (rule.deletes()) {
      rules.checkLocks();
      mapping.columns().forEach(rules::checkKey);
      mapping.columns().forEach(rules::checkText);
      rules.checkRows(rule.column());
    }
    return rules.problems;
  }

  private void add(String sqlState, String text) {
    problems.add(new Problem(sqlState, given + " " + text));
  }

  private void checkLocks() {
    if (!mapping.rules().locked()) {
      add(
          "42P10",
          "needs locks to keep deletions in order, and ingest.lock.mode=none takes none; set it to"
              + " key or stripe");
    }
  }

  /** A tombstone has a key and headers, and no payload to look into. */
  private void checkKey(ColumnMapping each) {
    boolean known =
        each.source() == Plain.KEY
            || each.source() == Plain.TOPIC
            || each.source() == Plain.PARTITION
            || each.source() instanceof ColumnSource.Header
            || each.source() instanceof ColumnSource.Constant;
    if (mapping.keyColumns().contains(each.column()) && !known) {
      add(
          "42P10",
          "finds rows by their key columns, and a record without a value has nothing for %scolumns.%s;"
                  .formatted(mapping.setting(), each.column())
              + " fill it from key, header:NAME, topic, partition or a constant");
    }
  }

  /**
   * Events of a key are put in order by its text. Without a unique index it is looked at anyway.
   */
  private void checkText(ColumnMapping each) {
    boolean varies =
        each.source() != Plain.PARTITION && !(each.source() instanceof ColumnSource.Constant);
    if (varies && isUniqueKey() && mapping.keyColumns().contains(each.column())) {
      table
          .column(each.column())
          .flatMap(KeyTexts::severalTexts)
          .ifPresent(
              several ->
                  add(
                      "42P10",
                      "keeps the events of a key in order by its text; %scolumns.%s: %s"
                          .formatted(mapping.setting(), each.column(), several)));
    }
  }

  private boolean isUniqueKey() {
    return table.isUnique(mapping.keyColumns());
  }

  private void checkRows(@Nullable String marking) {
    table
        .hiding(List.of("SELECT", marking == null ? "DELETE" : "UPDATE"))
        .ifPresent(hiding -> add("42501", "has to find the row of every key, and " + hiding));
    if (marking == null) {
      if (!table.access().deletable()) {
        add(
            "42501",
            "needs DELETE on %1$s; GRANT DELETE ON %1$s TO %2$s"
                .formatted(table.name(), Sql.identifier(table.access().role())));
      }
      return;
    }
    Optional<CatalogColumn> column = table.column(marking);
    if (column.isEmpty()) {
      add("42703", "names no column of %s; add the column".formatted(table.name()));
    } else if (isMapped(marking)) {
      add(
          "42P10",
          "names a column that %scolumns.%s fills; leave one of them out"
              .formatted(mapping.setting(), marking));
    } else {
      checkMark(column.get());
      checkMarking(column.get());
    }
  }

  private boolean isMapped(String column) {
    return mapping.columns().stream().anyMatch(each -> each.column().equals(column));
  }

  private void checkMark(CatalogColumn column) {
    boolean time = column.type().rule().kind() == Kind.TIMESTAMPTZ;
    if ((!time && !column.type().fullName().equals("boolean")) || column.origin() != Origin.PLAIN) {
      add(
          "42804",
          "names a column of type %s; use a plain column of type timestamptz or boolean"
              .formatted(column.type().fullName()));
    } else if (time && (column.notNull() || column.defaultSql() != null)) {
      add("42P10", "names a column in which new rows are not NULL; drop its NOT NULL and default");
    } else if (!time && "true".equals(column.defaultSql())) {
      add("42P10", "names a column in which new rows are true; let its default be false");
    }
  }

  private void checkMarking(CatalogColumn mark) {
    if (!isUniqueKey()) {
      add(
          "42P10",
          "needs a unique index on the key columns of %s; create it, or use delete"
              .formatted(table.name()));
    }
    require(
        "UPDATE",
        column -> isMapped(column.name()) || column.equals(mark),
        CatalogColumn::updatable);
    require("SELECT", column -> column.equals(mark), CatalogColumn::selectable);
  }

  private void require(
      String privilege, Predicate<CatalogColumn> needed, Predicate<CatalogColumn> granted) {
    String refused = table.lacking(needed, granted);
    if (!refused.isEmpty()) {
      add(
          "42501",
          "needs %1$s on columns %2$s of %3$s; GRANT %1$s ON %3$s TO %4$s"
              .formatted(privilege, refused, table.name(), Sql.identifier(table.access().role())));
    }
  }
}
