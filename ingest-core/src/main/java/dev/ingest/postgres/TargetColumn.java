package dev.ingest.postgres;

import java.util.Objects;

/**
 * One column that an insert fills from an array parameter.
 *
 * @param name as the catalog has it, unquoted
 * @param elementType element type of the array parameter, such as {@code text} or {@code int8}
 * @param expression SQL of the column's value, with {@code %s} for the array's element
 */
record TargetColumn(String name, String elementType, String expression, RowValue value) {
  TargetColumn {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(elementType, "elementType");
    Objects.requireNonNull(expression, "expression");
    Objects.requireNonNull(value, "value");
  }
}
