package dev.ingest.postgres;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.plan.LockBudget;
import dev.ingest.plan.Route;
import dev.ingest.plan.ServerLocks;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * How the store writes. Immutable.
 *
 * @param targets for each route by its name: where to, and how columns are filled; not empty
 * @param lockBudget locks one transaction may take; empty: as many as stay below the server's
 *     {@code max_locks_per_transaction}
 * @param groupWriters writers of the whole consumer group, for the arithmetic of an explicit budget
 * @param namespace first integer of the two-integer lock form; empty: the one-argument form, which
 *     other applications can join
 */
public record StoreSettings(
    Map<String, TargetMapping> targets,
    Timeouts timeouts,
    OptionalInt lockBudget,
    int groupWriters,
    OptionalInt namespace) {
  public StoreSettings {
    targets = Collections.unmodifiableMap(new LinkedHashMap<>(targets));
    if (targets.isEmpty()) {
      throw new IllegalArgumentException("There is no target.");
    }
    Objects.requireNonNull(timeouts, "timeouts");
    Objects.requireNonNull(lockBudget, "lockBudget");
    Objects.requireNonNull(namespace, "namespace");
  }

  /** One target, for the only route. */
  public StoreSettings(
      TargetMapping target,
      Timeouts timeouts,
      OptionalInt lockBudget,
      int groupWriters,
      OptionalInt namespace) {
    this(Map.of(Route.DEFAULT, target), timeouts, lockBudget, groupWriters, namespace);
  }

  /** The default table and timeouts, the budget as the server allows. */
  public static StoreSettings defaults() {
    return new StoreSettings(
        TargetMapping.event(), Timeouts.DEFAULT, OptionalInt.empty(), 1, OptionalInt.empty());
  }

  LockBudget budget(ServerLocks server, int reserved) {
    if (lockBudget.isEmpty()) {
      return LockBudget.auto(server.maxLocksPerTransaction(), reserved);
    }
    try {
      return LockBudget.explicit(lockBudget.getAsInt(), reserved, server, groupWriters);
    } catch (IllegalArgumentException refused) {
      throw new IngestException(Code.CONFIG_INVALID, String.valueOf(refused.getMessage()), refused);
    }
  }
}
