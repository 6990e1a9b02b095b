package dev.ingest.postgres;

import dev.ingest.event.Event;
import dev.ingest.mapping.WriteRules.MissingPartition;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.KeyGroup;
import dev.ingest.plan.PrefixSearch;
import dev.ingest.plan.RejectedEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;

/**
 * Finds the events that the server refuses, in transactions that are always rolled back and without
 * savepoints (past 64 of them every session slows down). First one statement asks for all values
 * that no column can read, where the server can tell; only if there are none, parts of the chunk
 * are tried: about log2 n tries for each bad event of n.
 */
final class BadEventSearch {
  /** Found in one go; then those who decide on bad events may stop a search without end. */
  private static final int AT_ONCE = 32;

  private final ChunkTransaction transaction;
  private final UnreadableValues unreadable;

  BadEventSearch(ChunkTransaction transaction, int serverVersion) {
    this.transaction = transaction;
    this.unreadable = new UnreadableValues(transaction.target(), serverVersion);
  }

  /**
   * @return refused events with what the server said of each, though perhaps not all of them; empty
   *     where the whole chunk goes through this time
   * @throws dev.ingest.pipeline.StoreFault where something else than an event is at fault
   */
  List<RejectedEvent> run(Session session, Chunk chunk, Rows rows) {
    List<RejectedEvent> found = unreadable.find(session, rows);
    return found.isEmpty() ? search(session, chunk) : found;
  }

  /** Whether writing is to wait for the partition of a row that is refused for want of one. */
  private boolean waitsFor(SQLException refused) {
    return transaction.target().rules().missingPartition() == MissingPartition.PAUSE
        && SqlFaults.isWithoutPartition(refused);
  }

  /** Where a transaction without any event fails too, no event is at fault. */
  private void requireWorking(Session session) {
    try {
      transaction.begin(session.connection());
    } catch (SQLException refused) {
      throw SqlFaults.withoutEvents(refused);
    } finally {
      session.rollback();
    }
  }

  private List<RejectedEvent> search(Session session, Chunk chunk) {
    requireWorking(session);
    return PrefixSearch.run(chunk.groups(), AT_ONCE, groups -> attempt(session, chunk.only(groups)))
        .stream()
        .map(found -> rejected(session, chunk, found.item(), found.fault()))
        .toList();
  }

  private Optional<SQLException> attempt(Session session, Chunk part) {
    Connection connection = session.connection();
    Rows rows = Rows.of(transaction.target(), part);
    try {
      transaction.run(connection, part.locks(), rows, true);
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET CONSTRAINTS ALL IMMEDIATE");
      }
      return Optional.empty();
    } catch (SQLException refused) {
      if (!blames(session, refused, part, rows)) {
        throw SqlFaults.of(refused);
      }
      return Optional.of(refused);
    } finally {
      session.rollback();
    }
  }

  /**
   * Whether an event is at fault. A policy of row-level security refuses rows, a missing privilege
   * every statement, both with 42501: without rows only the latter fails.
   */
  boolean blames(Session session, SQLException refused, Chunk chunk, Rows rows) {
    return SqlFaults.kind(refused) == FaultKind.BAD_EVENT
        || (SqlFaults.isNotAllowed(refused) && isAllowedWithoutRows(session, chunk, rows));
  }

  private boolean isAllowedWithoutRows(Session session, Chunk chunk, Rows rows) {
    session.rollback();
    Chunk empty = chunk.only(List.of());
    try {
      transaction.run(session.connection(), empty.locks(), rows.without(), true);
      return true;
    } catch (SQLException refused) {
      return false;
    } finally {
      session.rollback();
    }
  }

  /** Of a key whose row goes and comes back, either may be refused. */
  private Event culprit(Session session, Chunk chunk, KeyGroup group) {
    if (!group.deletes()) {
      return group.first();
    }
    boolean storing =
        group.stores() && attempt(session, chunk.only(List.of(group.deletionAlone()))).isEmpty();
    return storing ? group.first() : group.deletion();
  }

  private RejectedEvent rejected(
      Session session, Chunk chunk, KeyGroup group, SQLException refused) {
    Event culprit = culprit(session, chunk, group);
    if (waitsFor(refused)) {
      throw SqlFaults.partitionMissing(refused, culprit);
    }
    return new RejectedEvent(
        culprit,
        SqlFaults.describe(refused),
        refused.getSQLState(),
        SqlFaults.constraint(refused),
        SqlFaults.column(refused));
  }
}
