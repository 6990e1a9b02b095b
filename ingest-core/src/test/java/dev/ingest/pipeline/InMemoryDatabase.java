package dev.ingest.pipeline;

import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.EventStore.TransactionStatus;
import dev.ingest.plan.KeyGroup;
import dev.ingest.plan.RejectedEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a PostgreSQL server keeps, in memory: rows, parked events, transactions and their locks.
 * Nothing waits here: where a real session would wait for another transaction, it runs into its
 * lock timeout. Shared by the stores of a test; single-threaded.
 *
 * <p>What one statement sees depends on all the others, so it stays in one piece.
 */
public final class InMemoryDatabase {

  /** Which events the target refuses. */
  @FunctionalInterface
  public interface Refusal {
    /**
     * @return the SQLSTATE, null where the event fits
     */
    @Nullable String of(Event event);
  }

  /** An event beside the target. */
  public record Parked(RejectedEvent last, int attempts) {}

  /** Where an event comes from. */
  public record Position(TopicPartition partition, long offset) {
    public static Position of(Event event) {
      return new Position(event.partition(), event.offset());
    }
  }

  /** The server refuses a statement. */
  static final class SqlError extends Exception {
    private static final long serialVersionUID = 1L;
    private final String state;

    SqlError(String state) {
      super(state, null, false, false);
      this.state = state;
    }

    String state() {
      return state;
    }
  }

  /** A transaction of one owner. */
  static final class Transaction {
    private final String owner;
    private final String id;
    private final Set<Integer> locks = new HashSet<>();
    private final Map<String, Event> rows = new LinkedHashMap<>();
    private final Set<String> deleted = new HashSet<>();
    private final List<RejectedEvent> parked = new ArrayList<>();
    private final List<KeyGroup> groups = new ArrayList<>();
    private @Nullable TransactionStatus fate;

    Transaction(String owner, String id) {
      this.owner = owner;
      this.id = id;
    }

    String id() {
      return id;
    }

    /** Whether a server would have given it an id. */
    boolean hasWritten() {
      return !rows.isEmpty() || !deleted.isEmpty() || !parked.isEmpty();
    }
  }

  private final Refusal refusal;
  private final boolean unique;
  private final Map<String, Event> rows = new LinkedHashMap<>();
  private final Map<Position, Parked> parked = new LinkedHashMap<>();
  private final Map<String, TransactionStatus> ended = new HashMap<>();
  private final Map<String, Transaction> open = new LinkedHashMap<>();
  private final Map<String, Integer> insertedBy = new HashMap<>();
  private final Map<String, Integer> deletedBy = new HashMap<>();
  private final Map<String, List<KeyGroup>> applied = new HashMap<>();
  private int maxLocks;
  private int mostOverBudget;
  private int storedTwice;
  private int sessions;
  private int lastId;

  /**
   * With a unique index on the key.
   *
   * @param maxLocks advisory locks that one transaction may take
   */
  public InMemoryDatabase(int maxLocks, Refusal refusal) {
    this(maxLocks, refusal, true);
  }

  /**
   * @param maxLocks advisory locks that one transaction may take
   * @param unique whether a unique index is on the key; without one an insert sees what is
   *     committed, and nothing keeps it from a key that another transaction is about to commit
   */
  public InMemoryDatabase(int maxLocks, Refusal refusal, boolean unique) {
    this.maxLocks = maxLocks;
    this.refusal = refusal;
    this.unique = unique;
  }

  public Map<String, Event> rows() {
    return rows;
  }

  public Map<Position, Parked> parked() {
    return parked;
  }

  public boolean isParked(Event event) {
    return parked.containsKey(Position.of(event));
  }

  /** Rows that this owner's committed transactions added. */
  public int insertedBy(String owner) {
    return insertedBy.getOrDefault(owner, 0);
  }

  /** Rows that this owner's committed transactions deleted. */
  public int deletedBy(String owner) {
    return deletedBy.getOrDefault(owner, 0);
  }

  /** What was committed for a key, in order: the events of each transaction. */
  public List<KeyGroup> applied(String key) {
    return applied.getOrDefault(key, List.of());
  }

  public int maxLocks() {
    return maxLocks;
  }

  /** By how many locks a transaction went over its budget at most. */
  public int mostOverBudget() {
    return mostOverBudget;
  }

  /** Cuts all sessions, and comes back with another setting. */
  public void restart(int newMaxLocks) {
    sessions++;
    maxLocks = newMaxLocks;
    List.copyOf(open.values()).forEach(this::settle);
  }

  /** Rows beyond the first of their key; never any with a unique index. */
  public int storedTwice() {
    return storedTwice;
  }

  /** Changes with every restart; a session that began under another number is lost. */
  int sessions() {
    return sessions;
  }

  @Nullable String refuses(Event event) {
    return refusal.of(event);
  }

  Transaction begin(String owner) {
    Transaction transaction = new Transaction(owner, Integer.toString(++lastId));
    open.put(transaction.id, transaction);
    return transaction;
  }

  void lock(Transaction by, int lockId) throws SqlError {
    requireOpen(by);
    for (Transaction other : open.values()) {
      if (other != by && other.locks.contains(lockId)) {
        throw new SqlError("55P03");
      }
    }
    by.locks.add(lockId);
    mostOverBudget = Math.max(mostOverBudget, by.locks.size() - maxLocks);
  }

  /** Adds a row unless the key is there. */
  void insert(Transaction by, String key, Event event) throws SqlError {
    requireOpen(by);
    String state = refusal.of(event);
    if (state != null) {
      throw new SqlError(state);
    }
    requireNobodyOn(key, by);
    if (!rows.containsKey(key) || by.deleted.contains(key)) {
      by.rows.putIfAbsent(key, event);
    }
  }

  /** Deletes the row of a key where there is one. */
  void delete(Transaction by, String key) throws SqlError {
    requireOpen(by);
    requireNobodyOn(key, by);
    if (rows.containsKey(key)) {
      by.deleted.add(key);
    }
  }

  private void requireNobodyOn(String key, Transaction by) throws SqlError {
    for (Transaction other : open.values()) {
      boolean writes = unique && other.rows.containsKey(key);
      if (other != by && (writes || other.deleted.contains(key))) {
        throw new SqlError("55P03");
      }
    }
  }

  /** Notes for whom the transaction wrote. */
  void note(Transaction by, KeyGroup group) {
    by.groups.add(group);
  }

  int deleted(Transaction by) {
    return by.deleted.size();
  }

  int inserted(Transaction by) {
    return by.rows.size();
  }

  void park(Transaction by, RejectedEvent rejected) {
    by.parked.add(rejected);
  }

  void commit(Transaction transaction) throws SqlError {
    requireOpen(transaction);
    apply(transaction);
  }

  private void apply(Transaction transaction) {
    end(transaction, TransactionStatus.COMMITTED);
    rows.keySet().removeAll(transaction.deleted);
    transaction.rows.forEach(
        (key, event) -> storedTwice += rows.putIfAbsent(key, event) == null ? 0 : 1);
    insertedBy.merge(transaction.owner, transaction.rows.size(), Integer::sum);
    deletedBy.merge(transaction.owner, transaction.deleted.size(), Integer::sum);
    tookEffect(transaction);
    for (RejectedEvent each : transaction.parked) {
      parked.merge(
          Position.of(each.event()),
          new Parked(each, 1),
          (before, now) -> new Parked(now.last, before.attempts + 1));
    }
  }

  /** What it noted was done, or was found to be done. */
  void tookEffect(Transaction transaction) {
    for (KeyGroup group : transaction.groups) {
      applied.computeIfAbsent(group.key().value(), key -> new ArrayList<>()).add(group);
    }
  }

  /** Of no effect where a restart has ended it already. */
  void rollback(Transaction transaction) {
    if (open.containsKey(transaction.id)) {
      end(transaction, TransactionStatus.ABORTED);
    }
  }

  private void end(Transaction transaction, TransactionStatus status) {
    open.remove(transaction.id);
    ended.put(transaction.id, status);
  }

  private void requireOpen(Transaction transaction) throws SqlError {
    if (!open.containsKey(transaction.id)) {
      throw new SqlError("57P01");
    }
  }

  /** The session is gone, but the server does not know yet: the transaction keeps its locks. */
  void abandon(Transaction transaction, TransactionStatus fate) {
    transaction.fate = fate;
  }

  /** Ends the oldest abandoned transaction; false where there is none. */
  public boolean settleOne() {
    for (Transaction transaction : open.values()) {
      if (transaction.fate != null) {
        settle(transaction);
        return true;
      }
    }
    return false;
  }

  /** Ends it as its fate wants it; of no effect where it has ended. */
  void settle(Transaction transaction) {
    if (transaction.fate == TransactionStatus.COMMITTED && open.containsKey(transaction.id)) {
      apply(transaction);
    } else {
      rollback(transaction);
    }
  }

  TransactionStatus statusOf(String transactionId) {
    if (open.containsKey(transactionId)) {
      return TransactionStatus.IN_PROGRESS;
    }
    return ended.getOrDefault(transactionId, TransactionStatus.UNKNOWN);
  }
}
