package dev.ingest.plan;

public record LockBudget(int advisoryLocks) {
  public static LockBudget auto(int max, int reserved) {
    return new LockBudget(Math.max(1, max - 1 - reserved));
  }

  public static LockBudget explicit(int budget, ServerLocks s, int w) {
    return new LockBudget(budget);
  }
}
