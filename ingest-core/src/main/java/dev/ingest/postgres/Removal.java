package dev.ingest.postgres;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How rows go for which a tombstone came, and how they come back (ADR 0021). Immutable.
 *
 * @param sql deletes or marks rows by their key and returns for how many keys there was one; binds
 *     {@code arrays}
 * @param reviveSql fills marked rows anew, for the events to insert, and returns how many; binds
 *     what the insert does, without the dedupe window. Null where rows are deleted
 * @param arrays which of the insert's arrays hold the key
 */
record Removal(String sql, @Nullable String reviveSql, List<Integer> arrays) {
  /**
   * Holds the plans to the indexes, key by key in the order of the arrays. They are made for the
   * size that the table has now: one that was made while it was small would go through all of it.
   */
  static final String SETTINGS =
      """
      ,
             set_config('enable_seqscan', 'off', true),
             set_config('enable_hashjoin', 'off', true),
             set_config('enable_mergejoin', 'off', true),
             set_config('plan_cache_mode', 'force_custom_plan', true),
             set_config('jit', 'off', true)""";

  Removal {
    Objects.requireNonNull(sql, "sql");
    arrays = List.copyOf(arrays);
  }

  /** Whether each chunk looks for marked rows before it inserts. */
  boolean revives() {
    return reviveSql != null;
  }
}
