package dev.ingest.plan;

import java.util.Arrays;
import java.util.List;

/**
 * The advisory locks of one transaction, distinct and ascending as signed numbers: the one order
 * that all writers share, so that no cycle of waiters can form. Two keys with one hash share a
 * lock, so a held lock never proves that a key was seen. Immutable.
 */
public final class LockPlan {
  private final int[] ids;

  private LockPlan(int[] ids) {
    this.ids = ids;
  }

  /** The locks for these groups, in any order. Empty in mode {@code NONE}. */
  public static LockPlan of(LockScheme scheme, List<KeyGroup> groups) {
    if (scheme.mode() == LockScheme.Mode.NONE) {
      return new LockPlan(new int[0]);
    }
    int[] ids = new int[groups.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = scheme.lockId(groups.get(i).hash());
    }
    Arrays.sort(ids);
    return new LockPlan(Arrays.copyOf(ids, distinct(ids)));
  }

  /** Moves the first of equal neighbours to the front; returns how many there are. */
  private static int distinct(int[] ascending) {
    int count = 0;
    for (int id : ascending) {
      if (count == 0 || ascending[count - 1] != id) {
        ascending[count++] = id;
      }
    }
    return count;
  }

  public int size() {
    return ids.length;
  }

  /** The lock ids, ascending; a copy. */
  public int[] ids() {
    return ids.clone();
  }

  /** The lock ids widened with their sign, as the one-argument lock function takes them. */
  public long[] widened() {
    return Arrays.stream(ids).asLongStream().toArray();
  }
}
