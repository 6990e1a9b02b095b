package dev.ingest.postgres;

import dev.ingest.plan.FaultKind;
import dev.ingest.plan.RejectedEvent;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Asks the server, in one statement, which values the input functions of their types refuse. */
final class UnreadableValues {
  private static final int ASKS_INPUT = 160000;

  private final TargetTable target;

  /** Indexes of the arrays that are read by an input function; none where the server can't say. */
  private final List<Integer> checked = new ArrayList<>();

  private final String sql;

  UnreadableValues(TargetTable target, int serverVersion) {
    this.target = target;
    List<String> parameters = new ArrayList<>();
    List<String> names = new ArrayList<>();
    List<String> questions = new ArrayList<>();
    for (int i = 0; i < target.arrays().size() && serverVersion >= ASKS_INPUT; i++) {
      String type = target.arrays().get(i).inputType();
      if (type != null) {
        checked.add(i);
        parameters.add("?::text[]");
        names.add("c" + i);
        questions.add("(%d, r.c%d, %s)".formatted(i, i, Sql.literal(type)));
      }
    }
    this.sql =
        Statements.FIND_UNREADABLE.formatted(
            String.join(", ", parameters), String.join(", ", names), String.join(", ", questions));
  }

  /**
   * @return empty where all can be read, and where the server can't tell, as before PostgreSQL 16
   *     and for types whose input function raises errors in the old way
   * @throws dev.ingest.pipeline.StoreFault where something else than an event is at fault
   */
  List<RejectedEvent> find(Session session, Rows rows) {
    if (checked.isEmpty()) {
      return List.of();
    }
    try (PreparedStatement statement = session.connection().prepareStatement(sql)) {
      for (int i = 0; i < checked.size(); i++) {
        rows.bind(session.connection(), statement, i + 1, checked.get(i));
      }
      return ask(statement, rows);
    } catch (SQLException refused) {
      if (SqlFaults.kind(refused) != FaultKind.BAD_EVENT) {
        throw SqlFaults.of(refused);
      }
      return List.of();
    } finally {
      session.rollback();
    }
  }

  private List<RejectedEvent> ask(PreparedStatement statement, Rows rows) throws SQLException {
    List<RejectedEvent> rejected = new ArrayList<>();
    try (ResultSet found = statement.executeQuery()) {
      while (found.next()) {
        String column = target.arrays().get(found.getInt(2)).column();
        rejected.add(
            new RejectedEvent(
                rows.group(found.getInt(1) - 1).first(),
                "the column's type can't read the value, column=" + column,
                found.getString(3),
                null,
                column));
      }
    }
    return rejected;
  }
}
