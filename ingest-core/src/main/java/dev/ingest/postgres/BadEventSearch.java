package dev.ingest.postgres;

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
 * Finds the events that the server refuses, by trying parts of the chunk in transactions that are
 * always rolled back: about log2 n tries for each bad event of n, no savepoints (past 64 of them
 * every session slows down).
 */
final class BadEventSearch {
  private final TargetTable target;
  private final ChunkTransaction transaction;

  BadEventSearch(TargetTable target, ChunkTransaction transaction) {
    this.target = target;
    this.transaction = transaction;
  }

  /**
   * @return the refused events with what the server said of each; empty where the whole chunk goes
   *     through this time
   * @throws dev.ingest.pipeline.StoreFault where something else than an event is at fault
   */
  List<RejectedEvent> run(Session session, Chunk chunk) {
    return PrefixSearch.run(chunk.groups(), groups -> attempt(session, chunk.only(groups))).stream()
        .map(found -> rejected(found.item(), found.fault()))
        .toList();
  }

  private Optional<SQLException> attempt(Session session, Chunk part) {
    Connection connection = session.connection();
    try {
      transaction.run(connection, part.locks(), Rows.of(target, part));
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET CONSTRAINTS ALL IMMEDIATE");
      }
      return Optional.empty();
    } catch (SQLException refused) {
      if (SqlFaults.kind(refused) != FaultKind.BAD_EVENT) {
        throw SqlFaults.of(refused);
      }
      return Optional.of(refused);
    } finally {
      session.rollback();
    }
  }

  private static RejectedEvent rejected(KeyGroup group, SQLException refused) {
    return new RejectedEvent(
        group.first(),
        SqlFaults.describe(refused),
        refused.getSQLState(),
        SqlFaults.constraint(refused),
        SqlFaults.column(refused));
  }
}
