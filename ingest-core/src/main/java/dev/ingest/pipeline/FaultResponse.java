package dev.ingest.pipeline;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import dev.ingest.plan.Backoff;
import dev.ingest.plan.BudgetGovernor;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.LockBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides what follows from a fault of the store: how long to wait, whether writing counts as
 * paused, how many locks the next transaction may take. Single-threaded.
 */
final class FaultResponse {
  /** Tries of one transaction before a transient fault counts as a pause. */
  static final int QUICK_TRIES = 8;

  /** One more in a row is no stale plan: the target can't be written. */
  static final int STALE_PLANS_IN_A_ROW = 3;

  private final Backoff quick;
  private final Backoff slow;
  private final RandomGenerator random;
  private final IngestEvents listener;

  private @Nullable BudgetGovernor governor;
  private int governedBudget;
  private int attempt;
  private int stalePlansInARow;
  private @Nullable Instant pausedSince;

  /**
   * @param quick waits between tries of a transient fault
   * @param slow waits while the environment is broken
   */
  FaultResponse(Backoff quick, Backoff slow, RandomGenerator random, IngestEvents listener) {
    this.quick = quick;
    this.slow = slow;
    this.random = random;
    this.listener = listener;
  }

  boolean isPaused() {
    return pausedSince != null;
  }

  /** Advisory locks that the next transaction may take. */
  int maxLocks(LockBudget budget) {
    if (governor == null || governedBudget != budget.advisoryLocks()) {
      governedBudget = budget.advisoryLocks();
      governor = new BudgetGovernor(governedBudget);
    }
    return governor.current();
  }

  /**
   * Takes note of a fault.
   *
   * @return how long to wait before the next try
   * @throws IngestException where no try would help
   */
  Duration respond(StoreFault fault, Instant now) {
    attempt++;
    stalePlansInARow = fault.kind() == FaultKind.STALE_PLAN ? stalePlansInARow + 1 : 0;
    if (fault.kind() == FaultKind.LOCK_TABLE_FULL && governor != null) {
      governor.exhausted(now);
    }
    if (isFatal(fault)) {
      throw new IngestException(
          Code.STORE_FAILED,
          "consumer stopped, nothing is lost. sqlstate="
              + fault.sqlState()
              + " "
              + fault.getMessage()
              + ". Mend the cause and start again.",
          fault);
    }
    boolean pauses = pauses(fault);
    Duration delay = (pauses ? slow : quick).delay(attempt, random);
    if (pauses && pausedSince == null) {
      pausedSince = now;
      listener.paused(fault);
    }
    listener.retrying(fault, attempt, delay);
    return delay;
  }

  /** A transaction went through. */
  void succeeded(Instant now) {
    attempt = 0;
    stalePlansInARow = 0;
    if (governor != null) {
      governor.succeeded(now);
    }
    if (pausedSince != null) {
      listener.resumed(Duration.between(pausedSince, now));
      pausedSince = null;
    }
  }

  /** The transaction whose reply was lost still runs on the server. */
  Duration stillInProgress() {
    attempt++;
    return quick.delay(attempt, random);
  }

  private boolean isFatal(StoreFault fault) {
    return switch (fault.kind()) {
      case PROGRAM, BAD_EVENT -> true;
      case STALE_PLAN -> stalePlansInARow > STALE_PLANS_IN_A_ROW;
      case TRANSIENT, CONNECTION, LOCK_TABLE_FULL, ENVIRONMENT -> false;
    };
  }

  private boolean pauses(StoreFault fault) {
    return switch (fault.kind()) {
      case CONNECTION, ENVIRONMENT -> true;
      case TRANSIENT, LOCK_TABLE_FULL -> attempt > QUICK_TRIES;
      case STALE_PLAN, PROGRAM, BAD_EVENT -> false;
    };
  }
}
