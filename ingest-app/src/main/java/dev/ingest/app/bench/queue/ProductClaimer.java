package dev.ingest.app.bench.queue;

import dev.ingest.queue.Job;
import dev.ingest.queue.JobQueue;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** The product's queue under leases: a transaction for the claim, another for its outcome. */
final class ProductClaimer implements Claimer {
  static final String QUEUE = "bench";
  private static final Duration LEASE = Duration.ofMinutes(10);

  private final JobQueue queue;
  private final int batch;

  /**
   * @param queue shared by the workers of a process
   */
  ProductClaimer(JobQueue queue, int batch) {
    this.queue = queue;
    this.batch = batch;
  }

  @Override
  public int step(Connection connection) throws SQLException {
    List<Job> jobs = queue.claim(connection, QUEUE, batch, LEASE, "bench");
    queue.complete(connection, jobs);
    return jobs.size();
  }
}
