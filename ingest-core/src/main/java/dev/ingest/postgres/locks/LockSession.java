package dev.ingest.postgres.locks;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A session that waits for a lock or makes others wait. Immutable. What the role may not see is
 * null.
 *
 * @param pid process id; 0 stands for all prepared transactions, which belong to no session
 * @param state as pg_stat_activity has it, such as {@code idle in transaction}
 * @param transactionSeconds age of its transaction, null where it has none
 * @param stateSeconds since when it has been in that state
 * @param query its last statement, without literals
 * @param waitsFor the lock it waits for, null where it waits for none
 * @param holds its locks that others wait for
 * @param blockedBy process ids, as {@code pg_blocking_pids} gives them, ascending, each once
 */
public record LockSession(
    int pid,
    @Nullable String application,
    @Nullable String user,
    @Nullable String database,
    @Nullable String state,
    @Nullable String waitEvent,
    @Nullable Double transactionSeconds,
    @Nullable Double stateSeconds,
    @Nullable String query,
    @Nullable String waitsFor,
    List<String> holds,
    List<Integer> blockedBy) {
  public LockSession {
    holds = List.copyOf(holds);
    blockedBy = blockedBy.stream().distinct().sorted().toList();
  }
}
