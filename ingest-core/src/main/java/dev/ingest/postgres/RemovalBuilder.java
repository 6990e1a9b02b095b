package dev.ingest.postgres;

import dev.ingest.mapping.ColumnType.Kind;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.mapping.TombstoneRule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the statements that take rows away, and bring marked ones back, out of what {@link
 * TargetBuilder} knows of the insert. Used once.
 *
 * @param arrays of the insert
 * @param condition finds the row {@code t} of the key in {@code r}
 */
record RemovalBuilder(
    TargetMapping mapping, CatalogTable table, List<RowArray> arrays, String condition) {
  /** What marks a row, as SQL. */
  private record Mark(String column, String deleted, String live, String isDeleted) {
    static Mark of(CatalogColumn column) {
      String name = Sql.identifier(column.name());
      return column.type().rule().kind() == Kind.TIMESTAMPTZ
          ? new Mark(name, "now()", "NULL", "t." + name + " IS NOT NULL")
          : new Mark(name, "true", "false", "t." + name + " IS TRUE");
    }
  }

  /**
   * @param columns of the mapping, as SQL wants them
   * @param expressions what fills each of them
   * @param source the insert's arrays, as {@link Statements#ROWS} has them, with their places
   */
  @Nullable Removal build(List<String> columns, List<String> expressions, String source) {
    TombstoneRule rule = mapping.rules().tombstone();
    if (!rule.deletes()) {
      return null;
    }
    String marking = rule.column();
    if (marking == null) {
      return new Removal(
          Statements.DELETE_ROWS.formatted(table.name(), keys(), condition), null, keyArrays());
    }
    Mark mark = Mark.of(table.column(marking).orElseThrow());
    String marks =
        update(
            mark.column + " = " + mark.deleted,
            keys(),
            "%s AND (%s) IS NOT TRUE".formatted(condition, mark.isDeleted));
    List<String> assignments = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      assignments.add(columns.get(i) + " = " + expressions.get(i));
    }
    assignments.add(mark.column + " = " + mark.live);
    String revive =
        update(String.join(", ", assignments), source, condition + " AND " + mark.isDeleted);
    return new Removal(marks, revive, keyArrays());
  }

  private String update(String assignments, String source, String where) {
    return Statements.UPDATE_ROWS.formatted(table.name(), assignments, source, where);
  }

  private List<Integer> keyArrays() {
    List<Integer> keys = new ArrayList<>();
    for (int i = 0; i < arrays.size(); i++) {
      if (mapping.keyColumns().contains(arrays.get(i).column())) {
        keys.add(i);
      }
    }
    return keys;
  }

  private String keys() {
    List<String> parameters = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int array : keyArrays()) {
      parameters.add("?::" + arrays.get(array).elementType() + "[]");
      names.add("c" + array);
    }
    return Statements.ROWS_WITH_PLACES.formatted(
        String.join(", ", parameters), String.join(", ", names));
  }
}
