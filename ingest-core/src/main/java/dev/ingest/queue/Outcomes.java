package dev.ingest.queue;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records what became of claimed jobs. All jobs of a call have the same kind of hold. Rows are
 * locked in ascending order of id. Each returns the ids that were still the caller's.
 */
final class Outcomes {
  private Outcomes() {}

  static Set<Long> done(Connection connection, List<Job> jobs) throws SQLException {
    List<Job> ordered = ordered(jobs);
    try (IndexedStatement statement = new IndexedStatement(connection, Statements.FINISH)) {
      statement
          .bind("int8", ids(ordered))
          .bind("int4", claims(ordered))
          .bind(status(ordered))
          .bind("done")
          .run();
      return new HashSet<>(statement.ids());
    }
  }

  static Set<Long> failed(Connection connection, List<Failure> failures) throws SQLException {
    List<Failure> ordered =
        failures.stream().sorted(Comparator.comparingLong(f -> f.job().id())).toList();
    List<Job> jobs = ordered.stream().map(Failure::job).toList();
    Integer[] attempts = jobs.stream().map(Job::attempt).toArray(Integer[]::new);
    @Nullable Long[] delays = new @Nullable Long[ordered.size()];
    Arrays.setAll(delays, i -> delay(ordered.get(i).verdict()));
    String[] errors = ordered.stream().map(Failure::error).toArray(String[]::new);
    return putBack(connection, jobs, attempts, delays, errors);
  }

  /** As if they had never been claimed, but behind the others. */
  static Set<Long> released(Connection connection, List<Job> jobs, Duration delay)
      throws SQLException {
    return released(connection, jobs, delay, null);
  }

  /**
   * @param error what is told of them; null leaves what was told before
   */
  static Set<Long> released(
      Connection connection, List<Job> jobs, Duration delay, @Nullable String error)
      throws SQLException {
    List<Job> ordered = ordered(jobs);
    Integer[] attempts = ordered.stream().map(job -> job.attempt() - 1).toArray(Integer[]::new);
    @Nullable Long[] delays = new @Nullable Long[ordered.size()];
    Arrays.fill(delays, delay.toMillis());
    @Nullable String[] errors = new @Nullable String[ordered.size()];
    Arrays.fill(errors, error);
    return putBack(connection, ordered, attempts, delays, errors);
  }

  /**
   * @param worker only its jobs; null for any
   */
  static Set<Long> extended(
      Connection connection, List<Job> jobs, Duration lease, @Nullable String worker)
      throws SQLException {
    List<Job> ordered = ordered(jobs);
    try (IndexedStatement statement = new IndexedStatement(connection, Statements.EXTEND)) {
      statement
          .bind(lease.toMillis())
          .bind("int8", ids(ordered))
          .bind("int4", claims(ordered))
          .bind(worker)
          .run();
      return new HashSet<>(statement.ids());
    }
  }

  private static Set<Long> putBack(
      Connection connection,
      List<Job> jobs,
      Integer[] attempts,
      @Nullable Long[] delays,
      @Nullable String[] errors)
      throws SQLException {
    try (IndexedStatement statement = new IndexedStatement(connection, Statements.FAIL)) {
      statement
          .bind("int8", ids(jobs))
          .bind("int4", claims(jobs))
          .bind("int4", attempts)
          .bind("int8", delays)
          .bind("text", errors)
          .bind(status(jobs))
          .run();
      return new HashSet<>(statement.ids());
    }
  }

  private static @Nullable Long delay(Verdict verdict) {
    return verdict instanceof Verdict.Again again ? Math.max(1, again.delay().toMillis()) : null;
  }

  private static List<Job> ordered(List<Job> jobs) {
    return jobs.stream().sorted(Comparator.comparingLong(Job::id)).toList();
  }

  private static long[] ids(List<Job> jobs) {
    return jobs.stream().mapToLong(Job::id).toArray();
  }

  private static int[] claims(List<Job> jobs) {
    return jobs.stream().mapToInt(Job::claims).toArray();
  }

  private static String status(List<Job> jobs) {
    Job.Hold hold = jobs.get(0).hold();
    if (jobs.stream().anyMatch(job -> job.hold() != hold)) {
      throw new IllegalArgumentException(
          "Jobs that were claimed and jobs that are held: one call each.");
    }
    return hold == Job.Hold.LEASE ? "running" : "waiting";
  }
}
