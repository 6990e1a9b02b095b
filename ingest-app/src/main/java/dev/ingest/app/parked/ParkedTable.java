package dev.ingest.app.parked;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Asks and changes {@code ingest.parked} on the caller's connection. Immutable, thread-safe. */
public final class ParkedTable {
  private static final ParkedPosition BEFORE_ALL =
      new ParkedPosition("", -1, -1, Long.MIN_VALUE, "");
  private static final int STEP = 1000;

  /** Takes a step of positions; its work commits by itself or in the caller's transaction. */
  interface Step {
    void take(List<ParkedPosition> positions) throws SQLException;
  }

  /** What there is, by cause, most frequent first. */
  public List<ParkedCause> causes(Connection connection, ParkedFilter filter) throws SQLException {
    List<ParkedCause> causes = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(Statements.CAUSES)) {
      bind(connection, statement, filter);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          causes.add(cause(row));
        }
      }
    }
    return causes;
  }

  private static ParkedCause cause(ResultSet row) throws SQLException {
    return new ParkedCause(
        row.getString(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getLong(8),
        row.getInt(9),
        instant(row, 10),
        instant(row, 11));
  }

  static Instant instant(ResultSet row, int column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  /** The wanted events, at most so many. */
  public List<ParkedEvent> events(Connection connection, ParkedFilter filter, int limit)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(Statements.EVENTS)) {
      int next = bind(connection, statement, filter);
      statement.setInt(next, limit);
      return ParkedRow.all(statement);
    }
  }

  /** Hands over the positions of the wanted events in steps. */
  void positions(Connection connection, ParkedFilter filter, Step step) throws SQLException {
    ParkedPosition last = BEFORE_ALL;
    List<ParkedPosition> found;
    do {
      found = after(connection, filter, last);
      if (!found.isEmpty()) {
        step.take(found);
        last = found.get(found.size() - 1);
      }
    } while (found.size() == STEP);
  }

  private static List<ParkedPosition> after(
      Connection connection, ParkedFilter filter, ParkedPosition last) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(Statements.POSITIONS)) {
      int next = bind(connection, statement, filter);
      statement.setString(next, last.topic());
      statement.setInt(next + 1, last.partition());
      statement.setLong(next + 2, last.offset());
      statement.setLong(next + 3, last.timestamp());
      statement.setString(next + 4, last.route());
      statement.setInt(next + 5, STEP);
      return positions(statement);
    }
  }

  /** Events whose cause may have healed by now. */
  List<ParkedPosition> healedPerhaps(Connection connection, HealPolicy policy, int limit)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(Statements.HEALED_PERHAPS)) {
      statement.setArray(1, connection.createArrayOf("text", policy.sqlStates().toArray()));
      statement.setBoolean(2, policy.missingPartition());
      statement.setArray(3, connection.createArrayOf("text", policy.deletingRoutes().toArray()));
      statement.setInt(4, policy.maxAttempts());
      statement.setLong(5, policy.firstDelay().toSeconds());
      statement.setLong(6, policy.longestDelay().toSeconds());
      statement.setInt(7, limit);
      return positions(statement);
    }
  }

  private static List<ParkedPosition> positions(PreparedStatement statement) throws SQLException {
    List<ParkedPosition> positions = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        positions.add(ParkedRow.position(row));
      }
    }
    return positions;
  }

  /** Bytes of those that are still parked. */
  Map<ParkedPosition, Long> sizes(Connection connection, List<ParkedPosition> positions)
      throws SQLException {
    Map<ParkedPosition, Long> sizes = new LinkedHashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(Statements.SIZES)) {
      bind(connection, statement, 1, positions);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          sizes.put(ParkedRow.position(row), row.getLong(6));
        }
      }
    }
    return sizes;
  }

  /** Those that are still parked. */
  List<ParkedEvent> events(Connection connection, List<ParkedPosition> positions)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(Statements.NAMED_EVENTS)) {
      bind(connection, statement, 1, positions);
      return ParkedRow.all(statement);
    }
  }

  /**
   * Marks those as stored that were not parked again since they were read.
   *
   * @return how many
   */
  int markStored(Connection connection, List<ParkedEvent> tried) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(Statements.STORED)) {
      int next = bind(connection, statement, 1, tried.stream().map(ParkedEvent::position).toList());
      statement.setArray(next, integers(connection, tried, ParkedEvent::attempts));
      return statement.executeUpdate();
    }
  }

  /**
   * Takes the wanted events out of the way, in steps.
   *
   * @param erase whether to forget key, value and headers
   * @return how many
   */
  public long discard(Connection connection, ParkedFilter filter, boolean erase)
      throws SQLException {
    long[] discarded = {0};
    positions(
        connection,
        filter,
        positions ->
            discarded[0] +=
                setStatus(connection, positions, filter.statuses(), ParkedFilter.DISCARDED, erase));
    return discarded[0];
  }

  /**
   * Gives events another status.
   *
   * @param erase whether to forget key, value and headers
   * @return how many had one of the statuses before
   */
  int setStatus(
      Connection connection,
      List<ParkedPosition> positions,
      List<String> before,
      String after,
      boolean erase)
      throws SQLException {
    String sql = erase ? Statements.SET_STATUS_AND_ERASE : Statements.SET_STATUS;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, after);
      int next = bind(connection, statement, 2, positions);
      statement.setArray(next, connection.createArrayOf("text", before.toArray()));
      return statement.executeUpdate();
    }
  }

  private static int bind(
      Connection connection, PreparedStatement statement, int first, List<ParkedPosition> positions)
      throws SQLException {
    Object[] topics = positions.stream().map(ParkedPosition::topic).toArray();
    Object[] offsets = positions.stream().map(ParkedPosition::offset).toArray();
    Object[] timestamps = positions.stream().map(ParkedPosition::timestamp).toArray();
    Object[] routes = positions.stream().map(ParkedPosition::route).toArray();
    statement.setArray(first, connection.createArrayOf("text", topics));
    statement.setArray(first + 1, integers(connection, positions, ParkedPosition::partition));
    statement.setArray(first + 2, connection.createArrayOf("int8", offsets));
    statement.setArray(first + 3, connection.createArrayOf("int8", timestamps));
    statement.setArray(first + 4, connection.createArrayOf("text", routes));
    return first + 5;
  }

  private static <T> Array integers(Connection connection, List<T> from, ToIntFunction<T> value)
      throws SQLException {
    return connection.createArrayOf(
        "int4", from.stream().map(value::applyAsInt).toArray(Integer[]::new));
  }

  private static int bind(Connection connection, PreparedStatement statement, ParkedFilter filter)
      throws SQLException {
    statement.setString(1, filter.topic());
    statement.setObject(2, filter.partition());
    statement.setObject(3, filter.offset());
    statement.setString(4, filter.route());
    statement.setString(5, filter.sqlState());
    statement.setString(6, filter.constraint());
    statement.setObject(7, atUtc(filter.since()));
    statement.setObject(8, atUtc(filter.until()));
    statement.setObject(9, filter.maxAttempts());
    statement.setArray(10, connection.createArrayOf("text", filter.statuses().toArray()));
    return 11;
  }

  private static @Nullable OffsetDateTime atUtc(@Nullable Instant moment) {
    return moment == null ? null : moment.atOffset(ZoneOffset.UTC);
  }
}
