package dev.ingest.postgres;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.LockPlan;
import dev.ingest.postgres.TargetTable.UnderLocks;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * The statements of one chunk's transaction, all but COMMIT, sent to the server in one go:
 * settings, locks, rows that go where there are any, rows that come, transaction id. The rows are
 * statements of their own after the locks, so that they see what the previous holder committed (ADR
 * 0003).
 */
final class ChunkTransaction {
  private static final String SEPARATOR = ";\n";

  /** By which ON CONFLICT would have refused. */
  private static final String NO_SUCH_INDEX = "42P10";

  private final StoreSettings settings;
  private final TargetTable target;
  private final boolean telling;
  private final String settingsSql;
  private final String locksSql;
  private final @Nullable String reviveSql;

  /** What is run for nearly every chunk. */
  private final String usual;

  /**
   * What the statements did.
   *
   * @param inserted rows that are new, marked ones that came back included
   * @param deleted keys whose row went
   * @param places which rows were inserted, from 0, ascending; empty where that is not asked for
   * @param transactionId null where nothing was written
   */
  record Result(
      int inserted,
      int deleted,
      List<Integer> places,
      Duration lockWait,
      @Nullable String transactionId) {
    Result in(@Nullable String id) {
      return new Result(inserted, deleted, places, lockWait, id);
    }
  }

  /**
   * @param telling whether results say which rows were inserted
   */
  ChunkTransaction(StoreSettings settings, TargetTable target, boolean telling) {
    this.settings = settings;
    this.target = target;
    this.telling = telling;
    this.locksSql =
        settings.namespace().isPresent()
            ? Statements.TAKE_LOCKS_IN_NAMESPACE
            : Statements.TAKE_LOCKS;
    this.reviveSql = target.removal() == null ? null : target.removal().reviveSql();
    this.settingsSql =
        Statements.PREPARE_TRANSACTION
            + target.settings()
            + (reviveSql == null ? "" : Removal.SETTINGS);
    this.usual = sql(target.rules().locked(), false, false);
  }

  TargetTable target() {
    return target;
  }

  /** Does all that needs no event: settings, a transaction id. The transaction stays open. */
  void begin(Connection connection) throws SQLException {
    String sql = settingsSql + SEPARATOR + Statements.NEW_TRANSACTION_ID;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bindTimeouts(statement);
      statement.execute();
    }
  }

  private String sql(boolean locking, boolean removing, boolean resolving) {
    Removal removal = removing ? Objects.requireNonNull(target.removal()) : null;
    List<String> sqls = new ArrayList<>();
    sqls.add(removal == null || removal.revives() ? settingsSql : settingsSql + Removal.SETTINGS);
    if (locking) {
      sqls.add(locksSql);
    }
    if (removal != null) {
      sqls.add(removal.sql());
    }
    if (reviveSql != null) {
      sqls.add(reviveSql);
    }
    UnderLocks underLocks = locking && !resolving ? target.underLocks() : null;
    InsertSql insert = underLocks == null ? target.insert() : underLocks.insert();
    sqls.add(telling ? insert.telling() : insert.counting());
    sqls.add(underLocks == null ? Statements.TRANSACTION_ID : underLocks.endSql());
    return String.join(SEPARATOR, sqls);
  }

  /** Whether rows that come under these locks may be refused for somebody who takes none. */
  boolean mayMeetOthers(LockPlan locks) {
    return locks.size() > 0 && target.underLocks() != null;
  }

  /**
   * Runs the statements; the transaction stays open.
   *
   * @param resolving whether the insert passes over keys that somebody without the locks stores at
   *     the same time, for a price, rather than being refused
   */
  Result run(Connection connection, LockPlan locks, Rows rows, boolean resolving)
      throws SQLException {
    boolean locking = locks.size() > 0;
    KeyRows removed = rows.removed();
    if (!locking && (rows.size() > 0 || (removed != null && removed.size() > 0))) {
      requireNoLocks();
    }
    boolean isUsual = locking == target.rules().locked() && removed == null && !resolving;
    String sql = isUsual ? usual : sql(locking, removed != null, resolving);
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int parameter = bindTimeouts(statement);
      if (locking) {
        parameter = bindLocks(connection, statement, parameter, locks);
      }
      if (removed != null) {
        parameter = removed.bind(connection, statement, parameter);
      }
      if (reviveSql != null) {
        parameter = rows.bindArrays(connection, statement, parameter);
      }
      rows.bind(connection, statement, parameter);
      statement.execute(); // SET TRANSACTION
      statement.getMoreResults(); // set_config
      Duration lockWait = Duration.ZERO;
      if (locking) {
        statement.getMoreResults();
        lockWait = seconds(statement);
      }
      int deleted = removed == null ? 0 : nextNumber(statement);
      int revived = reviveSql == null ? 0 : nextNumber(statement);
      statement.getMoreResults();
      List<Integer> places = telling ? places(statement) : List.of();
      int inserted = telling ? places.size() : statement.getUpdateCount();
      statement.getMoreResults();
      return new Result(inserted + revived, deleted, places, lockWait, end(statement));
    }
  }

  private void requireNoLocks() {
    String why = target.needsLocks();
    if (why != null) {
      throw new IngestException(
          Code.CONFIG_INVALID,
          "%s %s; set ingest.lock.mode=key or stripe.".formatted(target.name(), why));
    }
  }

  /** The open transaction's id, null where it has written nothing so far. */
  static @Nullable String id(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(Statements.TRANSACTION_ID)) {
      statement.execute();
      return text(statement);
    }
  }

  private int bindTimeouts(PreparedStatement statement) throws SQLException {
    Timeouts timeouts = settings.timeouts();
    statement.setString(1, Long.toString(timeouts.lock().toMillis()));
    statement.setString(2, Long.toString(timeouts.statement().toMillis()));
    statement.setString(3, Long.toString(timeouts.idleInTransaction().toMillis()));
    statement.setString(4, Long.toString(timeouts.transaction().toMillis()));
    return 5;
  }

  private int bindLocks(
      Connection connection, PreparedStatement statement, int parameter, LockPlan locks)
      throws SQLException {
    if (settings.namespace().isEmpty()) {
      statement.setArray(
          parameter, connection.unwrap(PGConnection.class).createArrayOf("int8", locks.widened()));
      return parameter + 1;
    }
    statement.setInt(parameter, settings.namespace().getAsInt());
    statement.setArray(
        parameter + 1, connection.unwrap(PGConnection.class).createArrayOf("int4", locks.ids()));
    return parameter + 2;
  }

  private static int nextNumber(PreparedStatement statement) throws SQLException {
    statement.getMoreResults();
    try (ResultSet row = statement.getResultSet()) {
      row.next();
      return row.getInt(1);
    }
  }

  private static Duration seconds(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.getResultSet()) {
      row.next();
      BigDecimal seconds = row.getBigDecimal(1);
      return Duration.ofNanos(Math.max(0, seconds.movePointRight(9).longValue()));
    }
  }

  private List<Integer> places(PreparedStatement statement) throws SQLException {
    List<Integer> places = new ArrayList<>();
    try (ResultSet rows = statement.getResultSet()) {
      while (rows.next()) {
        int place = rows.getInt(1);
        if (rows.wasNull()) {
          throw new StoreFault(
              FaultKind.ENVIRONMENT,
              null,
              "the key is changed on its way into table="
                  + target.name()
                  + ", by a trigger perhaps; then new events can't be told from others",
              null);
        }
        places.add(place - 1);
      }
    }
    Collections.sort(places);
    return places;
  }

  /** The transaction's id. Without the unique index two rows of a key might be there by now. */
  private @Nullable String end(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.getResultSet()) {
      row.next();
      if (row.getMetaData().getColumnCount() > 1 && !row.getBoolean(2)) {
        throw new StoreFault(
            FaultKind.STALE_PLAN,
            NO_SUCH_INDEX,
            "the unique index on the key of table=%s is gone or made anew".formatted(target.name()),
            null);
      }
      return row.getString(1);
    }
  }

  private static @Nullable String text(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.getResultSet()) {
      row.next();
      return row.getString(1);
    }
  }
}
