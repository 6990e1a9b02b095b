package dev.ingest.app.bench.queue;

/** What is measured of the queue. */
public enum Part {
  /** Jobs claimed at a time. */
  BATCH,
  /** Workers at once. */
  WORKERS,
  /** Plain FOR UPDATE beside SKIP LOCKED. */
  LOCKING,
  /** Few waiting jobs among many finished ones in one table, with and without a partial index. */
  INDEX,
  /** Many finished jobs, and a snapshot that stays open. */
  WEAR,
  /** Handlers beside those of another queue. */
  RIVAL
}
