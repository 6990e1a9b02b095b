package dev.ingest.queue;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * A statement of the queue between the two that hold the planner to the indexes and let it go
 * again, all in one round trip. On an auto-commit connection they are a transaction, at whose end
 * the planner is free by itself.
 */
final class IndexedStatement implements AutoCloseable {
  private static final String SEPARATOR = ";\n";

  private final Connection connection;
  private final PreparedStatement statement;
  private int parameters;

  IndexedStatement(Connection connection, String sql) throws SQLException {
    this.connection = connection;
    this.statement =
        Unnamed.prepare(connection, connection.getAutoCommit() ? alone(sql) : amid(sql));
  }

  private static String alone(String sql) {
    return Statements.STAY_ON_INDEXES_ALONE + SEPARATOR + sql;
  }

  /** Amid the statements of a transaction. */
  private static String amid(String sql) {
    return Statements.STAY_ON_INDEXES + SEPARATOR + sql + SEPARATOR + Statements.LEAVE_INDEXES;
  }

  IndexedStatement bind(long value) throws SQLException {
    statement.setLong(++parameters, value);
    return this;
  }

  IndexedStatement bind(@Nullable String value) throws SQLException {
    statement.setString(++parameters, value);
    return this;
  }

  /**
   * @param values a primitive array, or one of objects with nulls
   */
  IndexedStatement bind(String elementType, Object values) throws SQLException {
    Array array = connection.unwrap(PGConnection.class).createArrayOf(elementType, values);
    statement.setArray(++parameters, array);
    return this;
  }

  /**
   * Runs it; afterwards it may be bound and run again.
   *
   * @return the server's clock before, microseconds since 1970
   */
  long run() throws SQLException {
    parameters = 0;
    statement.execute();
    try (ResultSet row = statement.getResultSet()) {
      row.next();
      long serverMicros = row.getLong("server_micros");
      statement.getMoreResults();
      return serverMicros;
    }
  }

  /** The rows it returned, after {@link #run}. */
  ResultSet rows() throws SQLException {
    return statement.getResultSet();
  }

  /** The first column of the rows it returned, after {@link #run}. */
  List<Long> ids() throws SQLException {
    List<Long> ids = new ArrayList<>();
    try (ResultSet rows = rows()) {
      while (rows.next()) {
        ids.add(rows.getLong(1));
      }
    }
    return ids;
  }

  /** How many rows it changed, after {@link #run}. */
  int changed() throws SQLException {
    return statement.getUpdateCount();
  }

  @Override
  public void close() throws SQLException {
    statement.close();
  }
}
