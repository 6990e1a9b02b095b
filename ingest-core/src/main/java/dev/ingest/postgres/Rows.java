package dev.ingest.postgres;

import dev.ingest.event.BusinessKey;
import dev.ingest.event.Event;
import dev.ingest.mapping.Fields;
import dev.ingest.mapping.UnfitValueException;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.KeyGroup;
import dev.ingest.plan.RejectedEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a chunk as one array a column, and the keys of those that go, in the chunk's order.
 * Filled once, then only read.
 */
final class Rows {
  private final TargetTable target;
  private final List<KeyGroup> groups;
  private final @Nullable KeyRows removed;
  private final List<@Nullable Object[]> arrays = new ArrayList<>();
  private final List<Long[]> masks = new ArrayList<>();
  private final List<RejectedEvent> unfit = new ArrayList<>();

  private Rows(TargetTable target, List<KeyGroup> groups, @Nullable KeyRows removed) {
    this.target = target;
    this.groups = groups;
    this.removed = removed;
    int rows = groups.size();
    for (RowArray array : target.arrays()) {
      arrays.add(arrayOf(array.elementType(), rows));
    }
    for (int i = 0; i < target.masks(); i++) {
      Long[] mask = new Long[rows];
      Arrays.fill(mask, 0L);
      masks.add(mask);
    }
  }

  /**
   * The driver sends arrays of these types in binary form, and any other as text it must escape.
   */
  static @Nullable Object[] arrayOf(String elementType, int rows) {
    return switch (elementType) {
      case "text" -> new @Nullable String[rows];
      case "int4" -> new @Nullable Integer[rows];
      case "int8" -> new @Nullable Long[rows];
      case "bytea" -> new byte[rows][];
      default -> new @Nullable Object[rows];
    };
  }

  static Rows of(TargetTable target, Chunk chunk) {
    return of(target, chunk.groups());
  }

  static Rows of(TargetTable target, List<KeyGroup> all) {
    List<KeyGroup> removing = all.stream().filter(KeyGroup::deletes).toList();
    List<KeyGroup> groups =
        removing.isEmpty() ? all : all.stream().filter(KeyGroup::stores).toList();
    Rows rows = new Rows(target, groups, removing.isEmpty() ? null : KeyRows.of(target, removing));
    Fields fields = target.fields().newFields();
    for (int row = 0; row < groups.size(); row++) {
      rows.fill(row, groups.get(row).key(), groups.get(row).first(), fields);
    }
    return rows;
  }

  /** No rows, for which the same statements are run as for these. */
  Rows without() {
    return new Rows(target, List.of(), removed == null ? null : KeyRows.of(target, List.of()));
  }

  private void fill(int row, BusinessKey key, Event event, Fields fields) {
    String column = null;
    try {
      if (!target.fields().isEmpty()) {
        target.fields().read(event.document(), fields);
      }
      for (int i = 0; i < arrays.size(); i++) {
        RowArray array = target.arrays().get(i);
        column = array.column();
        arrays.get(i)[row] = value(array, row, array.value().of(key, event, fields));
      }
    } catch (UnfitValueException refused) {
      unfit.add(new RejectedEvent(event, refused.reason(), refused.sqlState(), null, column));
    }
  }

  private @Nullable Object value(RowArray array, int row, @Nullable Object value) {
    if (value != null && value != RowValue.ABSENT) {
      return value;
    }
    if (array.required()) {
      throw new UnfitValueException("23502", "a column that says which event it is has no value");
    }
    if (value == RowValue.ABSENT && array.defaultBit() != RowArray.NO_DEFAULT) {
      Long[] mask = masks.get(array.defaultBit() / TargetTable.MASK_BITS);
      mask[row] |= 1L << array.defaultBit() % TargetTable.MASK_BITS;
    }
    return null;
  }

  int size() {
    return groups.size();
  }

  /** The group whose event is this row, from 0. */
  KeyGroup group(int row) {
    return groups.get(row);
  }

  /** Keys of rows that go before any comes; null where none goes. */
  @Nullable KeyRows removed() {
    return removed;
  }

  /** Events whose values no column can take; where there are any, nothing is written. */
  List<RejectedEvent> unfit() {
    if (removed == null) {
      return unfit;
    }
    List<RejectedEvent> all = new ArrayList<>(removed.unfit());
    all.addAll(unfit);
    return all;
  }

  /** Binds the insert's parameters, one after the other. */
  void bind(Connection connection, PreparedStatement statement, int firstParameter)
      throws SQLException {
    int parameter = bindArrays(connection, statement, firstParameter);
    ProbeWindow window = target.probe() == null ? null : target.probe().window();
    if (window != null) {
      window.bind(statement, parameter, arrays.get(window.array()));
    }
  }

  /** Binds all but the dedupe window; returns the parameter that follows. */
  int bindArrays(Connection connection, PreparedStatement statement, int firstParameter)
      throws SQLException {
    int parameter = firstParameter;
    for (int i = 0; i < arrays.size(); i++) {
      bind(connection, statement, parameter++, i);
    }
    for (Long[] mask : masks) {
      statement.setArray(parameter++, connection.createArrayOf("int8", mask));
    }
    return parameter;
  }

  /** Binds the array of one column. */
  void bind(Connection connection, PreparedStatement statement, int parameter, int array)
      throws SQLException {
    statement.setArray(
        parameter,
        connection.createArrayOf(target.arrays().get(array).elementType(), arrays.get(array)));
  }
}
