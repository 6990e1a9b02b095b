package dev.ingest.app.bench.queue;

import dev.ingest.queue.Job;
import dev.ingest.queue.JobQueue;
import dev.ingest.queue.NewJob;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** The product's queue under leases: a transaction for the claim, another for its outcome. */
final class ProductClaimer implements Claimer {
  static final String QUEUE = "bench";

  private static final String OTHER_QUEUE = "warm-up";
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
  public void warmUp(Connection connection) throws SQLException {
    queue.enqueue(connection, NewJob.of(OTHER_QUEUE));
    queue.complete(connection, queue.claim(connection, OTHER_QUEUE, 1, LEASE, "bench"));
  }

  @Override
  public int step(Connection connection) throws SQLException {
    List<Job> jobs = queue.claim(connection, QUEUE, batch, LEASE, "bench");
    queue.complete(connection, jobs);
    return jobs.size();
  }
}
