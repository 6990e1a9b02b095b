package dev.ingest.postgres;

import org.jspecify.annotations.Nullable;

/**
 * How an insert looks for keys that are there before it writes: by an anti-join, in a statement
 * after the one that takes the locks (ADR 0003, ADR 0020). Immutable.
 *
 * @param unique whether a unique index decides after it; else the locks alone keep two rows of a
 *     key apart
 * @param window which part of the table is looked at; null: all of it
 */
record Probe(boolean unique, @Nullable ProbeWindow window) {
  /** Looks into all of a table with a unique index. */
  static final Probe EVERYWHERE = new Probe(true, null);

  /**
   * Holds the plan to the indexes: a plan made while a partition was small would go on reading it
   * whole. Compiling pays for no plan of this kind, yet many partitions make it look dear.
   */
  private static final String ON_INDEXES =
      """
      ,
             set_config('enable_seqscan', 'off', true),
             set_config('jit', 'off', true)""";

  /**
   * Plans for the times of each chunk, so that partitions outside the window are neither locked nor
   * opened. A plan for any times locks them all before it leaves them out.
   */
  private static final String FOR_THESE_TIMES =
      """
      ,
             set_config('plan_cache_mode', 'force_custom_plan', true)""";

  /** Further columns of {@link Statements#PREPARE_TRANSACTION}. */
  String settings() {
    return window == null ? ON_INDEXES : ON_INDEXES + FOR_THESE_TIMES;
  }
}
