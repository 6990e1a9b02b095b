package dev.ingest.postgres;

import dev.ingest.mapping.ColumnMapping;
import dev.ingest.mapping.ColumnSource;
import dev.ingest.mapping.ColumnSource.Plain;
import dev.ingest.mapping.ColumnType.Kind;
import dev.ingest.mapping.Fields.State;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.mapping.TextRule;
import dev.ingest.mapping.UnfitValueException;
import dev.ingest.postgres.CatalogColumn.Origin;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Holds a mapping against its table. Every problem is a sentence without a full stop that says what
 * to change, and none holds a value. Pure; used once.
 */
final class MappingRules {
  /** What is wrong, and the SQLSTATE with which the server would have said so. */
  record Problem(String sqlState, String text) {}

  private final TargetMapping mapping;
  private final CatalogTable table;
  private final List<Problem> problems = new ArrayList<>();

  private MappingRules(TargetMapping mapping, CatalogTable table) {
    this.mapping = mapping;
    this.table = table;
  }

  /** Problems in the order in which they are best mended; empty where the mapping fits. */
  static List<Problem> problems(TargetMapping mapping, CatalogTable table) {
    MappingRules rules = new MappingRules(mapping, table);
    rules.checkKind();
    mapping.columns().forEach(rules::checkColumn);
    table.columns().forEach(rules::checkMissing);
    rules.checkKey();
    rules.checkPrivileges();
    rules.problems.addAll(TombstoneRules.problems(mapping, table));
    return rules.problems;
  }

  /** The problem of a table that is not there. */
  static Problem missing(TargetMapping mapping) {
    boolean ours = mapping.table().equals(TargetMapping.event().table());
    return new Problem(
        "42P01",
        mapping.setting()
            + "table="
            + mapping.table()
            + " is no table that our role can see; "
            + (ours ? "run ingest migrate" : "create it")
            + ", or give its name as schema.table");
  }

  /** The problem of a table that the server does not let us look at. */
  static Problem unusable(TargetMapping mapping, SQLException refused) {
    return new Problem(
        String.valueOf(refused.getSQLState()),
        "%stable=%s can't be looked up: %s; mend the name (schema.table), or the role's rights"
            .formatted(mapping.setting(), mapping.table(), SqlFaults.describe(refused)));
  }

  private void add(String sqlState, String text, Object... values) {
    problems.add(new Problem(sqlState, text.formatted(values)));
  }

  private void checkKind() {
    if (table.kind() != 'r' && table.kind() != 'p') {
      add(
          "42809",
          "%stable=%s is no table but a view, foreign table or the like; give a table's name",
          mapping.setting(),
          mapping.table());
    }
  }

  private String setting(String column) {
    return mapping.setting() + "columns." + column;
  }

  private void checkColumn(ColumnMapping each) {
    CatalogColumn column = table.column(each.column()).orElse(null);
    String setting = setting(each.column());
    if (column == null) {
      add("42703", "%s names no column of %s; it has %s", setting, table.name(), names());
    } else if (column.origin() == Origin.GENERATED || column.origin() == Origin.IDENTITY_ALWAYS) {
      add(
          "428C9",
          "%s names a column whose values the server makes (GENERATED ALWAYS); leave the setting out",
          setting);
    } else {
      checkType(each, column);
    }
  }

  private void checkType(ColumnMapping each, CatalogColumn column) {
    String setting = setting(each.column());
    if (!column.type().altering().isEmpty()) {
      add(
          "42804",
          "%s names a column of a type that alters values: %s",
          setting,
          column.type().altering());
    }
    if (each.source() == Plain.BYTES && column.type().rule().kind() != Kind.BYTES) {
      add(
          "42804",
          "%s is filled from a payload of bytes, which only a column of type bytea takes (it is %s);"
              + " use such a column, or another ingest.value.format",
          setting,
          column.type().fullName());
    }
    try {
      TextRule rule = TextRule.of(column.type().rule(), each.form());
      if (each.source() instanceof ColumnSource.Constant constant) {
        rule.apply(State.STRING, constant.text());
      }
    } catch (IllegalArgumentException pointless) {
      add(
          "42804",
          "%s %s (the column's type is %s)",
          setting,
          String.valueOf(pointless.getMessage()),
          column.type().fullName());
    } catch (UnfitValueException unfit) {
      add(unfit.sqlState(), "%s has a constant that does not fit: %s", setting, unfit.reason());
    }
  }

  private String names() {
    return table.columns().stream().map(CatalogColumn::name).collect(Collectors.joining(", "));
  }

  private boolean isMapped(String column) {
    return mapping.columns().stream().anyMatch(each -> each.column().equals(column));
  }

  private void checkMissing(CatalogColumn column) {
    if (!column.isOptional() && !isMapped(column.name())) {
      add(
          "23502",
          "column %s of %s is NOT NULL without a default; add %s, or give the column a default",
          column.name(),
          table.name(),
          setting(column.name()));
    }
  }

  private void checkKey() {
    String setting = mapping.setting() + "key-columns";
    List<String> keys = mapping.keyColumns();
    if (keys.isEmpty()) {
      add("42P10", "%s is missing; name the columns that hold the business key", setting);
      return;
    }
    List<String> unmapped = keys.stream().filter(key -> !isMapped(key)).toList();
    unmapped.forEach(
        key -> add("42703", "%s names %s; say with %s what fills it", setting, key, setting(key)));
    if (unmapped.isEmpty()) {
      checkIndex(setting, keys);
      checkWindow();
    }
  }

  private void checkIndex(String setting, List<String> keys) {
    String given = setting + "=" + String.join(",", keys);
    if (table.isUnique(keys)) {
      return;
    }
    if (table.indexOn(keys).isEmpty() && !table.isPartitioned()) {
      add(
          "42P10",
          "%s has no unique index; CREATE UNIQUE INDEX ON %s (%s), or name the columns of one"
              + " that is there",
          given,
          table.name(),
          Sql.identifiers(keys));
    } else if (!mapping.rules().locked()) {
      add(
          "42P10",
          "%s has no unique index, so only locks keep keys apart, and ingest.lock.mode=none takes"
              + " none; set it to key or stripe",
          given);
    } else {
      checkLeaves(given, keys);
      table
          .hiding(List.of("SELECT"))
          .ifPresent(
              hiding ->
                  add(
                      "42501",
                      "%s has no unique index, so keys are looked for, and %s",
                      given,
                      hiding));
      problems.addAll(KeyTexts.problems(mapping, table));
    }
  }

  /** Each key is looked for in each partition, so each needs an index to find it by. */
  private void checkLeaves(String given, List<String> keys) {
    List<String> without = table.leavesWithoutIndexOn(keys);
    if (!without.isEmpty() || table.indexOn(keys).isEmpty()) {
      add(
          "42P10",
          "%s has no index to find a key by%s; CREATE INDEX ON %s (%s)",
          given,
          without.isEmpty()
              ? ""
              : " in %d of %d partitions, such as %s"
                  .formatted(without.size(), table.partitions().leaves().size(), without.get(0)),
          table.name(),
          Sql.identifiers(keys));
    }
  }

  private void checkWindow() {
    if (mapping.rules().window() == null) {
      return;
    }
    String column = table.partitions().rangeColumn();
    String setting = mapping.dedupeSetting() + "window";
    if (table.isUnique(mapping.keyColumns())) {
      add("42P10", "%s has no effect, since a unique index is on the key; leave it out", setting);
    } else if (column == null || !isTime(column)) {
      add(
          "42P10",
          "%s needs a table that is partitioned by ranges of a timestamp or date, and %s is not;"
              + " leave it out",
          setting,
          table.name());
    } else if (mapping.columns().stream()
        .noneMatch(each -> each.column().equals(column) && isOfEvent(each))) {
      add(
          "42P10",
          "%s counts from the event's time in column %s; say with %s where an event has it",
          setting,
          column,
          setting(column));
    }
  }

  private boolean isTime(String name) {
    return table
        .column(name)
        .map(column -> column.type().rule().kind())
        .filter(kind -> kind == Kind.TIMESTAMPTZ || kind == Kind.TIMESTAMP || kind == Kind.DATE)
        .isPresent();
  }

  private static boolean isOfEvent(ColumnMapping each) {
    return each.source() != ColumnSource.Plain.NOW
        && !(each.source() instanceof ColumnSource.Constant);
  }

  /** Whether keys that are there are looked for by any insert, with locks or without. */
  static boolean prefilters(TargetMapping mapping, CatalogTable table) {
    return table.indexOn(mapping.keyColumns()).isPresent()
        && switch (mapping.rules().prefilter()) {
          case ON -> true;
          case OFF -> false;
          case AUTO -> table.columns().stream().anyMatch(CatalogColumn::isFromSequence);
        };
  }

  private void checkPrivileges() {
    require("INSERT", column -> isMapped(column.name()), CatalogColumn::insertable);
    require(
        "SELECT",
        column ->
            mapping.keyColumns().contains(column.name())
                || (mapping.rules().window() != null
                    && column.name().equals(table.partitions().rangeColumn())),
        CatalogColumn::selectable);
  }

  private void require(
      String privilege, Predicate<CatalogColumn> needed, Predicate<CatalogColumn> granted) {
    String refused = table.lacking(needed, granted);
    if (!refused.isEmpty()) {
      add(
          "42501",
          "role %s lacks %s on columns %s of %s; GRANT %s ON %s TO %s",
          table.access().role(),
          privilege,
          refused,
          table.name(),
          privilege,
          table.name(),
          Sql.identifier(table.access().role()));
    }
  }
}
