package dev.ingest.plan;

import java.time.Instant;

public final class BudgetGovernor {
  private final int c;

  public BudgetGovernor(int c) {
    this.c = c;
  }

  public int current() {
    return c;
  }

  public void exhausted(Instant i) {}

  public void succeeded(Instant i) {}
}
