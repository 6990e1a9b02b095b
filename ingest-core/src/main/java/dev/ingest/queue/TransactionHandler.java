package dev.ingest.queue;

import java.sql.Connection;

/**
 * The work of a queue, done in the transaction that holds the job: what it does on this connection
 * commits together with the job's completion, so exactly once. Called from several threads at once.
 */
@FunctionalInterface
public interface TransactionHandler {
  /**
   * @param connection neither to be committed, rolled back nor closed
   * @throws Exception what went wrong: all is rolled back, the job is tried again later, or counts
   *     as failed after its last attempt
   */
  void handle(Connection connection, Job job) throws Exception;
}
