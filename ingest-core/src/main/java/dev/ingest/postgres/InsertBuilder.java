package dev.ingest.postgres;

import dev.ingest.mapping.TargetMapping;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes inserts of a mapping whose columns are known. Immutable.
 *
 * @param columns quoted, in the order of the mapping
 * @param expressions what fills each column
 * @param keys how rows are found by the keys of those that come
 */
record InsertBuilder(
    TargetMapping mapping,
    CatalogTable table,
    List<String> columns,
    List<String> expressions,
    KeyCondition keys) {

  /**
   * @param source the rows that come
   * @param withPlaces the same with their places
   * @param probe how keys are looked for first; null: not at all
   * @param resolving whether the unique index decides in the end, rather than refusing
   */
  InsertSql build(String source, String withPlaces, @Nullable Probe probe, boolean resolving) {
    return new InsertSql(
        insertFrom(source, probe, resolving),
        telling(withPlaces, insertFrom("r", probe, resolving)));
  }

  private String insertFrom(String source, @Nullable Probe probe, boolean resolving) {
    String insert =
        Statements.INSERT_ROWS.formatted(
            table.name(), String.join(", ", columns), String.join(", ", expressions), source);
    return insert
        + (probe == null ? "" : keys.unlessFound(looked(probe), probe.window()))
        + (resolving
            ? Statements.UNLESS_THERE.formatted(Sql.identifiers(mapping.keyColumns()))
            : "");
  }

  /** Where a unique index decides, tables that inherit from this one have keys of their own. */
  private String looked(Probe probe) {
    return probe.unique() && !table.isPartitioned() ? "ONLY " + table.name() : table.name();
  }

  private String telling(String withPlaces, String insert) {
    List<String> returned = new ArrayList<>();
    List<String> names = new ArrayList<>();
    List<String> inserted = new ArrayList<>();
    for (String key : mapping.keyColumns()) {
      String name = "k" + names.size();
      String column = Sql.identifier(key);
      String expression = expressions.get(columns.indexOf(column));
      names.add(name);
      returned.add(column + " AS " + name);
      // As the column holds it, with its length and precision.
      String type = table.column(key).orElseThrow().type().fullName();
      inserted.add("(%s)::%s AS %s".formatted(expression, type, name));
    }
    return Statements.TELLING_INSERT.formatted(
        withPlaces,
        insert,
        String.join(", ", returned),
        String.join(", ", names),
        String.join(", ", inserted));
  }
}
