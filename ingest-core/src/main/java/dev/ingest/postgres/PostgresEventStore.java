package dev.ingest.postgres;

import dev.ingest.pipeline.EventStore;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.pipeline.WriteOutcome;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.HashText;
import dev.ingest.plan.LockBudget;
import dev.ingest.plan.SqlStatePolicy;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores events in PostgreSQL, 15 or newer. Works with any {@link DataSource}; borrows a connection
 * for one transaction at a time. One thread at a time; make one store for each writer.
 */
public final class PostgresEventStore implements EventStore {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresEventStore.class);

  private final DataSource pool;
  private final StoreSettings settings;
  private final NewEvents newEvents;
  private final Watchdog watchdog;

  /**
   * What is known of the server and the targets; read again after a lost connection, since it may
   * be another server, and after a fault of the environment, since a table may have been changed.
   *
   * @param writers by name of the route
   */
  private record Known(ServerFacts server, LockBudget budget, Map<String, ChunkWriter> writers) {}

  private @Nullable Known known;

  /** Whether a pooler was met that loses the names of prepared statements. */
  private boolean unnamed;

  public PostgresEventStore(DataSource pool, StoreSettings settings) {
    this(pool, settings, NewEvents.NONE);
  }

  /**
   * @param newEvents writes more in the transactions that store events
   */
  public PostgresEventStore(DataSource pool, StoreSettings settings, NewEvents newEvents) {
    this.pool = Objects.requireNonNull(pool, "pool");
    this.settings = settings;
    this.newEvents = newEvents;
    this.watchdog = new Watchdog(pool, settings.timeouts());
  }

  /** Work on a session that may fail as JDBC does. */
  private interface Work<R> {
    R on(Session session) throws SQLException;
  }

  private <R> R inSession(Work<R> work) {
    try (Session session = Session.open(pool, settings.timeouts(), watchdog)) {
      try {
        if (unnamed) {
          session.forgetNames();
        }
        return work.on(session);
      } catch (SQLException failed) {
        settle(session, failed.getSQLState());
        throw fault(failed, session.blocker());
      } catch (StoreFault failed) {
        settle(session, failed.sqlState());
        forgetAfter(failed.kind());
        throw failed;
      } finally {
        if (session.isGivenUp()) {
          known = null;
        }
      }
    } catch (SQLException failed) {
      // What can be an event's fault has been looked into by whoever sent the events.
      throw fault(failed, Optional.empty());
    }
  }

  /** Names who was in the way, where that is the cause. */
  private StoreFault fault(SQLException failed, Optional<Blocker> blocker) {
    StoreFault fault = SqlFaults.withoutEvents(failed);
    forgetAfter(fault.kind());
    return fault.kind() != FaultKind.TRANSIENT || blocker.isEmpty()
        ? fault
        : new StoreFault(
            fault.kind(),
            fault.sqlState(),
            fault.getMessage() + ", blocked by " + blocker.get(),
            failed);
  }

  /** No aborted transaction and no session of doubtful use goes back to the pool. */
  private void settle(Session session, @Nullable String sqlState) {
    if (!unnamed && SqlStatePolicy.losesNames(sqlState)) {
      unnamed = true;
      LOG.warn(
          "statements are no longer prepared under names, which a pooler in transaction mode loses:"
              + " sqlstate={}; prepareThreshold=0 in ingest.postgres.url spares this",
          sqlState);
    }
    if (SqlStatePolicy.mustEvict(sqlState)) {
      session.evict();
    } else {
      session.rollback();
    }
  }

  private void forgetAfter(FaultKind kind) {
    switch (kind) {
      case CONNECTION, ENVIRONMENT, STALE_PLAN -> known = null;
      case TRANSIENT, LOCK_TABLE_FULL, BAD_EVENT, PROGRAM -> {
        // says nothing of the server or the table
      }
    }
  }

  private Known known() {
    Known current = known;
    if (current == null) {
      current = inSession(this::read);
      known = current;
    }
    return current;
  }

  private Known read(Session session) throws SQLException {
    bound(session); // reading the catalog waits for whoever holds a table
    ServerFacts server = ServerFacts.read(session.connection());
    Map<String, TargetTable> targets = Targets.resolve(session.connection(), settings.targets());
    int reserved = reserved(session, server, targets);
    session.connection().commit();
    if (!server.hashesLikeUs()) {
      LOG.warn(
          "keys are hashed by the server: server_encoding={} or its hashtext differs from ours;"
              + " one more round trip a batch",
          server.encoding());
    }
    Map<String, ChunkWriter> writers = new HashMap<>();
    targets.forEach((route, target) -> writers.put(route, writer(server, route, target)));
    return new Known(server, settings.budget(server.locks(), reserved), writers);
  }

  private ChunkWriter writer(ServerFacts server, String route, TargetTable target) {
    boolean telling = !newEvents.tables(route).isEmpty();
    ChunkTransaction transaction = new ChunkTransaction(settings, target, telling);
    BadEventSearch search = new BadEventSearch(transaction, server.version());
    return new ChunkWriter(transaction, search, newEvents);
  }

  private void bound(Session session) throws SQLException {
    try (PreparedStatement statement =
        session.connection().prepareStatement(Statements.BOUND_TRANSACTION)) {
      statement.setString(1, Long.toString(settings.timeouts().lock().toMillis()));
      statement.setString(2, Long.toString(settings.timeouts().statement().toMillis()));
      statement.execute();
    }
  }

  private int reserved(Session session, ServerFacts server, Map<String, TargetTable> targets)
      throws SQLException {
    ReservedLocks reserved = new ReservedLocks(session.connection());
    for (Map.Entry<String, TargetTable> each : targets.entrySet()) {
      TargetTable target = each.getValue();
      reserved.add(target.name(), target.deletesRows(), newEvents.tables(each.getKey()));
    }
    return reserved.atMost(server.locks().maxLocksPerTransaction() / 2);
  }

  @Override
  public LockBudget budget() {
    return known().budget();
  }

  @Override
  public int[] hash(List<String> keys) {
    if (known().server().hashesLikeUs()) {
      return keys.stream().mapToInt(HashText::hash).toArray();
    }
    return inSession(session -> ServerHashes.of(session, keys));
  }

  @Override
  public WriteOutcome write(Chunk chunk, BooleanSupplier stillOurs) {
    ChunkWriter writer = known().writers().get(chunk.route());
    if (writer == null) {
      throw new IllegalArgumentException("Route " + chunk.route() + " has no target.");
    }
    Rows rows = writer.rows(chunk);
    if (!rows.unfit().isEmpty()) {
      return new WriteOutcome.Rejected(rows.unfit());
    }
    return inSession(session -> writer.write(session, chunk, rows, stillOurs));
  }

  @Override
  public TransactionStatus statusOf(String transactionId) {
    return inSession(session -> knownStatus(session, transactionId));
  }

  /**
   * The server refuses an id that it has not given out (22023). After a failover it may not have
   * come as far as the one that is lost.
   */
  private static TransactionStatus knownStatus(Session session, String transactionId)
      throws SQLException {
    try {
      return status(session, transactionId);
    } catch (SQLException refused) {
      if (SqlFaults.kind(refused) != FaultKind.BAD_EVENT) {
        throw refused;
      }
      session.rollback();
      return TransactionStatus.UNKNOWN;
    }
  }

  private static TransactionStatus status(Session session, String transactionId)
      throws SQLException {
    try (PreparedStatement statement =
        session.connection().prepareStatement(Statements.TRANSACTION_STATUS)) {
      statement.setString(1, transactionId);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        String status = row.getString(1);
        session.connection().commit();
        if (status == null) {
          return TransactionStatus.UNKNOWN;
        }
        return switch (status) {
          case "committed" -> TransactionStatus.COMMITTED;
          case "aborted" -> TransactionStatus.ABORTED;
          case "in progress" -> TransactionStatus.IN_PROGRESS;
          default -> TransactionStatus.UNKNOWN;
        };
      }
    }
  }
}
