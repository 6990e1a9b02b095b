package dev.ingest.postgres;

import dev.ingest.event.Event;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.KeyGroup;
import dev.ingest.plan.RejectedEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a chunk as one array a column, in the chunk's order.
 *
 * @param unfit events whose values no column can take; where there are any, nothing is written
 */
record Rows(List<Object[]> arrays, List<RejectedEvent> unfit) {

  static Rows of(TargetTable target, Chunk chunk) {
    List<KeyGroup> groups = chunk.groups();
    List<TargetColumn> columns = target.columns();
    List<@Nullable Object[]> arrays = new ArrayList<>();
    columns.forEach(column -> arrays.add(new @Nullable Object[groups.size()]));
    List<RejectedEvent> unfit = new ArrayList<>();
    for (int row = 0; row < groups.size(); row++) {
      KeyGroup group = groups.get(row);
      Event event = group.first();
      for (int c = 0; c < columns.size(); c++) {
        TargetColumn column = columns.get(c);
        try {
          arrays.get(c)[row] = column.value().of(group.key(), event);
        } catch (UnfitValueException refused) {
          unfit.add(
              new RejectedEvent(event, refused.reason(), refused.sqlState(), null, column.name()));
          break;
        }
      }
    }
    return new Rows(List.copyOf(arrays), unfit);
  }

  /** Binds the arrays one after the other. */
  void bind(
      Connection connection, TargetTable target, PreparedStatement statement, int firstParameter)
      throws SQLException {
    for (int c = 0; c < arrays.size(); c++) {
      statement.setArray(
          firstParameter + c,
          connection.createArrayOf(target.columns().get(c).elementType(), arrays.get(c)));
    }
  }
}
