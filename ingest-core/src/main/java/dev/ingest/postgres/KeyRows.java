package dev.ingest.postgres;

import dev.ingest.mapping.Fields;
import dev.ingest.mapping.UnfitValueException;
import dev.ingest.plan.KeyGroup;
import dev.ingest.plan.RejectedEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys of rows that go, as one array a key column. Filled once, then only read. */
final class KeyRows {
  private final int size;
  private final List<RowArray> columns;
  private final List<@Nullable Object[]> arrays = new ArrayList<>();
  private final List<RejectedEvent> unfit = new ArrayList<>();

  private KeyRows(List<RowArray> columns, int rows) {
    this.size = rows;
    this.columns = columns;
    for (RowArray column : columns) {
      arrays.add(Rows.arrayOf(column.elementType(), rows));
    }
  }

  /**
   * @param groups that delete, in the order of their hashes
   * @throws IllegalArgumentException where the target deletes no rows
   */
  static KeyRows of(TargetTable target, List<KeyGroup> groups) {
    Removal removal = target.removal();
    if (removal == null) {
      throw new IllegalArgumentException("No row of " + target.name() + " is to be deleted.");
    }
    KeyRows rows =
        new KeyRows(removal.arrays().stream().map(target.arrays()::get).toList(), groups.size());
    Fields none = target.fields().newFields();
    for (int row = 0; row < groups.size(); row++) {
      rows.fill(row, groups.get(row), none);
    }
    return rows;
  }

  private void fill(int row, KeyGroup group, Fields none) {
    for (int i = 0; i < arrays.size(); i++) {
      RowArray column = columns.get(i);
      try {
        Object value = column.value().of(group.key(), group.deletion(), none);
        if (value == null || value == RowValue.ABSENT) {
          throw new UnfitValueException("23502", "a column that says which row goes has no value");
        }
        arrays.get(i)[row] = value;
      } catch (UnfitValueException refused) {
        unfit.add(
            new RejectedEvent(
                group.deletion(), refused.reason(), refused.sqlState(), null, column.column()));
        return;
      }
    }
  }

  int size() {
    return size;
  }

  /** Tombstones that say no key. */
  List<RejectedEvent> unfit() {
    return unfit;
  }

  /** Binds the arrays; returns the parameter that follows. */
  int bind(Connection connection, PreparedStatement statement, int firstParameter)
      throws SQLException {
    int parameter = firstParameter;
    for (int i = 0; i < arrays.size(); i++) {
      statement.setArray(
          parameter++, connection.createArrayOf(columns.get(i).elementType(), arrays.get(i)));
    }
    return parameter;
  }
}
