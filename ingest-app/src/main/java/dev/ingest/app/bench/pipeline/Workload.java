package dev.ingest.app.bench.pipeline;

import dev.ingest.app.bench.Database;

/**
 * What a contestant has to do: read a topic and store it. Immutable.
 *
 * @param events records in the topic that the contestant reads
 * @param group consumer group of this run alone
 * @param consumers threads or consumers
 * @param batch events in a transaction at most
 * @param lingerMillis how long the product waits for a batch to fill
 * @param table with the columns business_key and payload alone; empty for the default table
 * @param step the time is noted each time that so many more are stored
 */
record Workload(
    Database database,
    String bootstrap,
    String topic,
    long events,
    String group,
    int consumers,
    int batch,
    int lingerMillis,
    String table,
    long step) {
  /** The time is noted at the end alone. */
  static final long NO_STEPS = Long.MAX_VALUE / 2;
}
