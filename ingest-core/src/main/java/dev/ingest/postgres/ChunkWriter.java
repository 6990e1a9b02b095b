package dev.ingest.postgres;

import dev.ingest.pipeline.StoreFault;
import dev.ingest.pipeline.WriteOutcome;
import dev.ingest.pipeline.WriteOutcome.Applied;
import dev.ingest.pipeline.WriteOutcome.Phases;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.KeyGroup;
import dev.ingest.plan.LockPlan;
import dev.ingest.plan.RejectedEvent;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes chunks to one target, each in one transaction. Single-threaded. */
final class ChunkWriter {
  private static final Logger LOG = LoggerFactory.getLogger(ChunkWriter.class);

  private final ChunkTransaction transaction;
  private final BadEventSearch search;
  private final NewEvents newEvents;

  /** Whether a key was met that its lock did not keep apart. */
  private boolean resolving;

  ChunkWriter(ChunkTransaction transaction, BadEventSearch search, NewEvents newEvents) {
    this.transaction = transaction;
    this.search = search;
    this.newEvents = newEvents;
  }

  /** The rows of a chunk, as the target wants them. */
  Rows rows(Chunk chunk) {
    return Rows.of(transaction.target(), chunk);
  }

  /**
   * @throws SQLException where something else than an event is at fault
   */
  WriteOutcome write(Session session, Chunk chunk, Rows rows, BooleanSupplier stillOurs)
      throws SQLException {
    long start = System.nanoTime();
    ChunkTransaction.Result result;
    try {
      result = run(session, chunk, rows);
    } catch (SQLException refused) {
      return refused(session, chunk, rows, refused);
    }
    if (!result.places().isEmpty()) {
      tell(session, chunk.route(), rows, result.places());
    }
    if (!chunk.parked().isEmpty()) {
      result = result.in(park(session, chunk));
    }
    long written = System.nanoTime();
    Applied applied = applied(chunk, result, Duration.ofNanos(written - start));
    if (!stillOurs.getAsBoolean()) {
      session.rollback();
      return new WriteOutcome.Withdrawn();
    }
    try {
      session.connection().commit();
    } catch (SQLException failed) {
      return SqlFaults.kind(failed) == FaultKind.CONNECTION
          ? lost(session, result, applied)
          : refused(session, chunk, rows, failed);
    }
    return committed(applied, Duration.ofNanos(System.nanoTime() - written));
  }

  /**
   * Runs the cheaper insert, which holds the promise as well. Where it meets somebody who takes no
   * locks, the unique index is left to decide, now and from then on; that it was one of the key is
   * known once the other insert goes through.
   */
  private ChunkTransaction.Result run(Session session, Chunk chunk, Rows rows) throws SQLException {
    LockPlan locks = chunk.locks();
    if (resolving || !transaction.mayMeetOthers(locks)) {
      return transaction.run(session.connection(), locks, rows, resolving);
    }
    try {
      return transaction.run(session.connection(), locks, rows, false);
    } catch (SQLException refused) {
      if (!SqlFaults.isTwice(refused)) {
        throw refused;
      }
    }
    session.rollback();
    ChunkTransaction.Result result = transaction.run(session.connection(), locks, rows, true);
    resolving = true;
    LOG.info(
        "rows are inserted with ON CONFLICT from now on: table={} got a key without its lock, or one"
            + " of which two texts are the same value",
        transaction.target().name());
    return result;
  }

  /** What goes wrong here is no event's fault. */
  private void tell(Session session, String route, Rows rows, List<Integer> places) {
    List<KeyGroup> stored = places.stream().map(rows::group).toList();
    try {
      newEvents.stored(session.connection(), route, stored);
    } catch (SQLException refused) {
      throw SqlFaults.withoutEvents(refused);
    }
  }

  /**
   * Returns the transaction's id. A table of parked events that refuses them is no event's fault.
   */
  private static String park(Session session, Chunk chunk) {
    try {
      ParkedEvents.write(session.connection(), chunk.route(), chunk.parked());
      return String.valueOf(ChunkTransaction.id(session.connection()));
    } catch (SQLException refused) {
      throw SqlFaults.withoutEvents(refused);
    }
  }

  private static Applied applied(Chunk chunk, ChunkTransaction.Result result, Duration writing) {
    Duration insert = writing.minus(result.lockWait());
    return new Applied(
        result.inserted(),
        chunk.storable() - result.inserted() - result.deleted(),
        chunk.parked().size(),
        result.deleted(),
        new Phases(result.lockWait(), insert.isNegative() ? Duration.ZERO : insert, Duration.ZERO));
  }

  private static Applied committed(Applied applied, Duration commit) {
    Phases phases = applied.phases();
    return new Applied(
        applied.inserted(),
        applied.duplicates(),
        applied.parked(),
        applied.deleted(),
        new Phases(phases.lock(), phases.insert(), commit));
  }

  private static WriteOutcome lost(
      Session session, ChunkTransaction.Result result, Applied ifCommitted) {
    session.evict();
    return result.transactionId() == null
        ? ifCommitted // nothing was written, so there is nothing to lose
        : new WriteOutcome.Unknown(result.transactionId(), ifCommitted);
  }

  private WriteOutcome refused(Session session, Chunk chunk, Rows rows, SQLException refused)
      throws SQLException {
    if (!search.blames(session, refused, chunk, rows)) {
      throw refused;
    }
    session.rollback();
    List<RejectedEvent> rejected = search.run(session, chunk, rows);
    if (rejected.isEmpty()) {
      // It was refused for something that is no longer so, such as a row that is gone by now.
      throw new StoreFault(
          FaultKind.TRANSIENT, refused.getSQLState(), SqlFaults.describe(refused), refused);
    }
    return new WriteOutcome.Rejected(rejected);
  }
}
