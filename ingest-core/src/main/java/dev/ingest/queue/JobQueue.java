package dev.ingest.queue;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The work queue in {@code ingest.job}. Every method runs on the caller's connection, in its
 * transaction where there is one; none commits, keeps a session state or needs one, so all work
 * behind a transaction pooler. After an {@link SQLException} the caller rolls back and may call
 * again. Thread-safe; make one for each process, it remembers where claims left off.
 *
 * <p>Two ways to run: <em>long</em>: {@link #claim}, commit, work, then {@link #complete} or {@link
 * #fail}; a job whose worker dies is run again when its lease has run out, so it is done at least
 * once. <em>Short</em>: {@link #hold}, work on the same connection, {@link #complete}, commit: what
 * the work does in this database happens exactly once. {@link JobWorkers} does both.
 */
public final class JobQueue {
  /** The channel on which {@link #enqueueAndNotify} tells the name of the queue, if it is one. */
  public static final String CHANNEL = "ingest_job";

  /** What is told there of several queues; none has this name. */
  static final String EVERY_QUEUE = "";

  private final Claim claim = new Claim();

  /** What a queue holds. Seconds that the oldest one has been due, 0 where none is. */
  public record Depth(String queue, String status, long jobs, double oldestSeconds) {}

  /** Jobs whose lease ran out, by what became of them. */
  public record Reaped(String queue, boolean failed) {}

  /**
   * Adds a job to the caller's transaction.
   *
   * @return its id; empty where a waiting or running job has its key
   */
  public OptionalLong enqueue(Connection connection, NewJob job) throws SQLException {
    List<Long> ids = Enqueue.run(connection, List.of(job));
    return ids.isEmpty() ? OptionalLong.empty() : OptionalLong.of(ids.get(0));
  }

  /**
   * Adds jobs to the caller's transaction, in one statement. Those with a key come after the
   * others.
   *
   * @return how many were added: keys that are taken are passed over
   */
  public int enqueue(Connection connection, List<NewJob> jobs) throws SQLException {
    return jobs.isEmpty() ? 0 : Enqueue.run(connection, jobs).size();
  }

  /**
   * The same, and one notification when the transaction commits: for one queue, or for whoever
   * listens where there are jobs of several. Commits that notify wait for each other: leave it
   * where many transactions enqueue, workers poll anyway.
   */
  public int enqueueAndNotify(Connection connection, List<NewJob> jobs) throws SQLException {
    int added = enqueue(connection, jobs);
    if (added > 0) {
      List<String> queues = jobs.stream().map(NewJob::queue).distinct().toList();
      notifyWorkers(connection, queues.size() == 1 ? queues.get(0) : EVERY_QUEUE);
    }
    return added;
  }

  private static void notifyWorkers(Connection connection, String queue) throws SQLException {
    try (PreparedStatement statement = Unnamed.prepare(connection, Statements.NOTIFY)) {
      statement.setString(1, CHANNEL);
      statement.setString(2, queue);
      statement.execute();
    }
  }

  /**
   * Claims due jobs for a while: first by priority, then in the order they became due. On an
   * auto-commit connection this is a transaction of its own.
   *
   * @param limit at most so many, from 1
   * @param lease afterwards others may take the job; at least 1 s
   * @param worker told in the table, for people
   */
  public List<Job> claim(
      Connection connection, String queue, int limit, Duration lease, String worker)
      throws SQLException {
    requirePositive(limit);
    if (lease.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("lease=" + lease + " is below 1 s");
    }
    return claim.lease(connection, queue, limit, lease, Objects.requireNonNull(worker, "worker"));
  }

  /**
   * Locks due jobs until the transaction ends; nobody waits for them, others pass them over. Not
   * with auto-commit.
   */
  public List<Job> hold(Connection connection, String queue, int limit) throws SQLException {
    requirePositive(limit);
    if (connection.getAutoCommit()) {
      throw new IllegalStateException("hold needs a transaction: set auto-commit off.");
    }
    return claim.hold(connection, queue, limit);
  }

  /**
   * Moves jobs to the finished ones. On the connection of the work it commits with the work: where
   * a job is missing in the answer, roll back.
   *
   * @return ids of those that were still the caller's; others have lost their lease
   */
  public Set<Long> complete(Connection connection, List<Job> jobs) throws SQLException {
    return jobs.isEmpty() ? Set.of() : Outcomes.done(connection, jobs);
  }

  /**
   * Puts jobs behind the others, or out of the way for good.
   *
   * @return ids of those that were still the caller's
   */
  public Set<Long> fail(Connection connection, List<Failure> failures) throws SQLException {
    return failures.isEmpty() ? Set.of() : Outcomes.failed(connection, failures);
  }

  /**
   * Gives claimed jobs back untried: behind the others, the attempt not counted.
   *
   * @return ids of those that were still the caller's
   */
  public Set<Long> release(Connection connection, List<Job> jobs) throws SQLException {
    return release(connection, jobs, Duration.ZERO);
  }

  /** The same for jobs that are not to be had again before the delay is over. */
  public Set<Long> release(Connection connection, List<Job> jobs, Duration delay)
      throws SQLException {
    return jobs.isEmpty() ? Set.of() : Outcomes.released(connection, jobs, delay);
  }

  /** As {@link #release} after a failure that does not count, but is told in the job's row. */
  Set<Long> putBehind(Connection connection, Failure failure, Duration delay) throws SQLException {
    return Outcomes.released(connection, List.of(failure.job()), delay, failure.error());
  }

  /**
   * Prolongs leases: from now on for {@code lease}.
   *
   * @return ids of those that were still the caller's
   */
  public Set<Long> extend(Connection connection, List<Job> jobs, Duration lease)
      throws SQLException {
    return jobs.isEmpty() ? Set.of() : Outcomes.extended(connection, jobs, lease, null);
  }

  /**
   * As {@link #extend}, for claims whose commit got no reply. Where it did not take place the next
   * claim of the job has the same number, so the name of the worker decides whose it is.
   */
  Set<Long> confirm(Connection connection, List<Job> jobs, Duration lease, String worker)
      throws SQLException {
    return jobs.isEmpty() ? Set.of() : Outcomes.extended(connection, jobs, lease, worker);
  }

  /**
   * Returns jobs to the queue whose lease ran out, any queue, or marks them failed after their last
   * attempt. Any number of processes may do so at once.
   */
  public List<Reaped> reap(Connection connection, int limit) throws SQLException {
    requirePositive(limit);
    return Housekeeping.reap(connection, limit);
  }

  /**
   * Takes waiting and failed jobs out of the queue for good.
   *
   * @return ids of those that will not run; others are running, over, or being claimed
   */
  public Set<Long> cancel(Connection connection, List<Long> ids) throws SQLException {
    return Housekeeping.cancel(connection, ids);
  }

  /**
   * Makes jobs due now that wait for a later moment.
   *
   * @return how many; those that others are at are passed over
   */
  public int hasten(Connection connection, String queue, List<String> keys) throws SQLException {
    return Housekeeping.hasten(connection, queue, keys);
  }

  /**
   * Gives failed jobs further attempts, oldest first.
   *
   * @return how many
   */
  public int retry(Connection connection, String queue, int limit, int attempts)
      throws SQLException {
    requirePositive(limit);
    return Housekeeping.retry(connection, queue, limit, attempts);
  }

  /**
   * Forgets jobs that finished before a moment of the server's clock, oldest first, in steps that
   * each are a transaction of their own on an auto-commit connection.
   *
   * @return how many
   */
  public long purge(Connection connection, Instant before) throws SQLException {
    return Housekeeping.purge(connection, before);
  }

  /** The same for jobs that finished so long ago, whatever clock the caller has. */
  public long purge(Connection connection, Duration age) throws SQLException {
    return Housekeeping.purge(connection, age);
  }

  /** Forgets failed jobs of a queue that failed before a moment, in steps as {@link #purge}. */
  public long purgeFailed(Connection connection, String queue, Instant before) throws SQLException {
    return Housekeeping.purgeFailed(connection, queue, before);
  }

  /** Counts the jobs that are there, by queue and status. Reads the whole table. */
  public List<Depth> depth(Connection connection) throws SQLException {
    try (PreparedStatement statement = Unnamed.prepare(connection, Statements.DEPTH);
        ResultSet rows = statement.executeQuery()) {
      return Housekeeping.depth(rows);
    }
  }

  private static void requirePositive(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit=" + limit + " is below 1");
    }
  }
}
