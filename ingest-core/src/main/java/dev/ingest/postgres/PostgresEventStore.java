package dev.ingest.postgres;

import dev.ingest.pipeline.EventStore;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.pipeline.WriteOutcome;
import dev.ingest.pipeline.WriteOutcome.Applied;
import dev.ingest.pipeline.WriteOutcome.Phases;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.HashText;
import dev.ingest.plan.LockBudget;
import dev.ingest.plan.PrefixSearch;
import dev.ingest.plan.RejectedEvent;
import dev.ingest.plan.SqlStatePolicy;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
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
  private final ChunkTransaction transaction;
  private final BadEventSearch search;

  /** What is known of the server; read again after a lost connection, it may be another one. */
  private record Known(ServerFacts server, LockBudget budget) {}

  private @Nullable Known known;

  public PostgresEventStore(DataSource pool, StoreSettings settings) {
    this.pool = Objects.requireNonNull(pool, "pool");
    this.settings = settings;
    this.transaction = new ChunkTransaction(settings);
    this.search = new BadEventSearch(settings.target(), transaction);
  }

  /** Work on a session that may fail as JDBC does. */
  private interface Work<R> {
    R on(Session session) throws SQLException;
  }

  private <R> R inSession(Work<R> work) {
    try (Session session = Session.open(pool, settings.timeouts())) {
      try {
        return work.on(session);
      } catch (SQLException failed) {
        if (SqlStatePolicy.mustEvict(failed.getSQLState())) {
          session.evict();
        } else {
          session.rollback();
        }
        throw failed;
      }
    } catch (SQLException failed) {
      StoreFault fault = SqlFaults.of(failed);
      if (fault.kind() == FaultKind.CONNECTION) {
        known = null;
      }
      throw fault;
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
    ServerFacts server = ServerFacts.read(session.connection());
    int reserved = relations(session);
    session.connection().commit();
    if (!server.hashesLikeUs()) {
      LOG.warn(
          "keys are hashed by the server: server_encoding={} or its hashtext differs from ours;"
              + " one more round trip a batch",
          server.encoding());
    }
    return new Known(server, settings.budget(server.locks(), reserved));
  }

  private int relations(Session session) throws SQLException {
    try (PreparedStatement statement =
        session.connection().prepareStatement(Statements.RELATIONS_OF_TARGET)) {
      statement.setString(1, settings.target().name());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
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
    return inSession(session -> hashByServer(session, keys));
  }

  private int[] hashByServer(Session session, List<String> keys) throws SQLException {
    try {
      int[] hashes = ServerFacts.hash(session.connection(), keys);
      session.connection().commit();
      return hashes;
    } catch (SQLException refused) {
      if (SqlFaults.kind(refused) != FaultKind.BAD_EVENT) {
        throw refused;
      }
      session.rollback();
      return hashAroundUnfit(session, keys);
    }
  }

  /**
   * Some keys have no form in the database's encoding. They get hash 0 and are refused with their
   * rows, where the search for bad events finds them.
   */
  private static int[] hashAroundUnfit(Session session, List<String> keys) throws SQLException {
    List<Integer> positions = IntStream.range(0, keys.size()).boxed().toList();
    List<PrefixSearch.Found<Integer, SQLException>> unfit =
        PrefixSearch.run(
            positions, some -> refusal(session, some.stream().map(keys::get).toList()));
    List<Integer> bad = unfit.stream().map(PrefixSearch.Found::item).toList();
    List<Integer> good = positions.stream().filter(i -> !bad.contains(i)).toList();
    int[] hashes = new int[keys.size()];
    int[] known = ServerFacts.hash(session.connection(), good.stream().map(keys::get).toList());
    session.connection().commit();
    IntStream.range(0, good.size()).forEach(i -> hashes[good.get(i)] = known[i]);
    return hashes;
  }

  private static Optional<SQLException> refusal(Session session, List<String> keys) {
    try {
      ServerFacts.hash(session.connection(), keys);
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

  @Override
  public WriteOutcome write(Chunk chunk) {
    known();
    Rows rows = Rows.of(settings.target(), chunk);
    if (!rows.unfit().isEmpty()) {
      return new WriteOutcome.Rejected(rows.unfit());
    }
    return inSession(session -> write(session, chunk, rows));
  }

  private WriteOutcome write(Session session, Chunk chunk, Rows rows) throws SQLException {
    long start = System.nanoTime();
    ChunkTransaction.Result result;
    try {
      result = transaction.run(session.connection(), chunk.locks(), rows);
      if (!chunk.parked().isEmpty()) {
        ParkedEvents.write(session.connection(), chunk.parked());
        result = result.in(ChunkTransaction.id(session.connection()));
      }
    } catch (SQLException refused) {
      return refused(session, chunk, refused);
    }
    long written = System.nanoTime();
    return commit(session, chunk, result, Duration.ofNanos(written - start));
  }

  private WriteOutcome commit(
      Session session, Chunk chunk, ChunkTransaction.Result result, Duration writing)
      throws SQLException {
    long start = System.nanoTime();
    try {
      session.connection().commit();
    } catch (SQLException failed) {
      if (SqlFaults.kind(failed) != FaultKind.CONNECTION) {
        return refused(session, chunk, failed);
      }
      session.evict();
      known = null;
      Applied ifCommitted = applied(chunk, result, writing, Duration.ZERO);
      return result.transactionId() == null
          ? ifCommitted // nothing was written, so there is nothing to lose
          : new WriteOutcome.Unknown(result.transactionId(), ifCommitted);
    }
    return applied(chunk, result, writing, Duration.ofNanos(System.nanoTime() - start));
  }

  private static Applied applied(
      Chunk chunk, ChunkTransaction.Result result, Duration writing, Duration commit) {
    Duration insert = writing.minus(result.lockWait());
    return new Applied(
        result.inserted(),
        chunk.storable() - result.inserted(),
        chunk.parked().size(),
        new Phases(result.lockWait(), insert.isNegative() ? Duration.ZERO : insert, commit));
  }

  private WriteOutcome refused(Session session, Chunk chunk, SQLException refused)
      throws SQLException {
    if (SqlFaults.kind(refused) != FaultKind.BAD_EVENT) {
      throw refused;
    }
    session.rollback();
    List<RejectedEvent> rejected = search.run(session, chunk);
    if (rejected.isEmpty()) {
      // It was refused for something that is no longer so, such as a row that is gone by now.
      throw new StoreFault(
          FaultKind.TRANSIENT, refused.getSQLState(), SqlFaults.describe(refused), refused);
    }
    return new WriteOutcome.Rejected(rejected);
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
