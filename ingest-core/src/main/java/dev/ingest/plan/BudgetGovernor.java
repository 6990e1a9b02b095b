package dev.ingest.plan;

import java.time.Duration;
import java.time.Instant;

/**
 * How many advisory locks the next transaction may take: half as many each time the server's lock
 * table is exhausted, then back to the budget in small steps, one for each quiet interval. A quiet
 * interval is one without exhaustion that ends with a success: idle time proves nothing and earns
 * nothing. Single-threaded.
 */
public final class BudgetGovernor {
  /** How long must be quiet before the next step up. */
  static final Duration QUIET = Duration.ofSeconds(10);

  /** Steps up from one lock to the whole budget; fewer if the budget is smaller than that. */
  static final int STEPS = 16;

  private final int budget;
  private final int step;

  /** Always 1..budget. */
  private int current;

  private Instant quietSince = Instant.MAX;

  /**
   * @param budget the most it ever allows, from 1; where it starts
   */
  public BudgetGovernor(int budget) {
    if (budget < 1) {
      throw new IllegalArgumentException("Lock budget=" + budget + " is below 1.");
    }
    this.budget = budget;
    this.step = (budget - 1) / STEPS + 1;
    this.current = budget;
  }

  /** 1 up to the budget. */
  public int current() {
    return current;
  }

  /** The lock table was exhausted under a transaction that took {@link #current} locks. */
  public void exhausted(Instant now) {
    current = Math.max(1, current / 2);
    quietSince = now;
  }

  /** A transaction went through. A clock that went back only starts the interval anew. */
  public void succeeded(Instant now) {
    if (now.isBefore(quietSince)) {
      quietSince = now;
    }
    if (current == budget || now.isBefore(quietSince.plus(QUIET))) {
      return;
    }
    current = current > budget - step ? budget : current + step;
    quietSince = now;
  }
}
