package dev.ingest.postgres;

import dev.ingest.mapping.TargetMapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How rows {@code t} of a target are found by the key of a row {@code r}, such that an index serves
 * it. Immutable.
 *
 * @param value what {@code r} has in a key column
 */
record KeyCondition(TargetMapping mapping, CatalogTable table, UnaryOperator<String> value) {

  /** The row {@code t} is one of the key: conditions, all of which hold. */
  List<String> same() {
    List<String> conditions = new ArrayList<>();
    Optional<CatalogTable.Index> index = table.indexOn(mapping.keyColumns());
    for (String key : mapping.keyColumns()) {
      String equal = index.map(each -> each.equal(key)).orElse("=");
      conditions.add("t.%s %s %s".formatted(Sql.identifier(key), equal, value.apply(key)));
    }
    return conditions;
  }

  /**
   * The end of a query of {@code r}: passes over those whose key is there.
   *
   * @param looked the table, as FROM takes it
   * @param window which part of it is looked at; null: all of it
   */
  String unlessFound(String looked, @Nullable ProbeWindow window) {
    List<String> conditions = same();
    if (window != null) {
      conditions.add(window.sql(value.apply(window.column().name())));
    }
    return Statements.UNLESS_FOUND.formatted(looked, String.join(" AND ", conditions));
  }
}
