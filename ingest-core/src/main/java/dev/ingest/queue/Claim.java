package dev.ingest.queue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** Takes due jobs. Knows for each queue where to begin. Thread-safe. */
final class Claim {
  private static final Comparator<Job> ORDER =
      Comparator.comparing(Job::priority).thenComparing(Job::runAt).thenComparingLong(Job::id);
  private static final Short[] LANES = lanes();

  /**
   * Leases of a queue that this process takes at the same moment; the others wait here. Each steps
   * over all rows that the others have locked, so more at once get fewer jobs (ADR 0010).
   */
  private static final int AT_ONCE = 8;

  private final ConcurrentHashMap<String, ClaimStart> starts = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Semaphore> permits = new ConcurrentHashMap<>();

  List<Job> lease(Connection connection, String queue, int limit, Duration lease, String worker)
      throws SQLException {
    Semaphore permit = permits.computeIfAbsent(queue, name -> new Semaphore(AT_ONCE));
    permit.acquireUninterruptibly();
    try {
      return leaseNow(connection, queue, limit, lease, worker);
    } finally {
      permit.release();
    }
  }

  private List<Job> leaseNow(
      Connection connection, String queue, int limit, Duration lease, String worker)
      throws SQLException {
    long begun = System.nanoTime();
    ClaimStart start = start(queue, begun);
    ClaimStart.Since since = start.next(begun);
    try (IndexedStatement statement = new IndexedStatement(connection, Statements.CLAIM)) {
      bindDue(statement, queue, limit, since);
      long server = statement.bind(lease.toMillis()).bind(worker).run();
      return taken(statement, queue, Job.Hold.LEASE, limit, start, since, server, begun);
    }
  }

  List<Job> hold(Connection connection, String queue, int limit) throws SQLException {
    long begun = System.nanoTime();
    ClaimStart start = start(queue, begun);
    ClaimStart.Since since = start.next(begun);
    try (IndexedStatement statement = new IndexedStatement(connection, Statements.HOLD)) {
      bindDue(statement, queue, limit, since);
      long server = statement.run();
      return taken(statement, queue, Job.Hold.TRANSACTION, limit, start, since, server, begun);
    }
  }

  private ClaimStart start(String queue, long now) {
    return starts.computeIfAbsent(queue, name -> new ClaimStart(now));
  }

  private static void bindDue(
      IndexedStatement statement, String queue, int limit, ClaimStart.Since since)
      throws SQLException {
    statement.bind("int2", LANES).bind("int8", since.micros()).bind(queue).bind(limit).bind(limit);
  }

  private static List<Job> taken(
      IndexedStatement statement,
      String queue,
      Job.Hold hold,
      int limit,
      ClaimStart start,
      ClaimStart.Since since,
      long server,
      long begun)
      throws SQLException {
    List<Job> jobs = read(statement, queue, hold);
    long now = System.nanoTime();
    start.done(since, seen(jobs, limit, server), now, now - begun);
    return jobs;
  }

  private static List<Job> read(IndexedStatement statement, String queue, Job.Hold hold)
      throws SQLException {
    List<Job> jobs = new ArrayList<>();
    try (ResultSet rows = statement.rows()) {
      while (rows.next()) {
        jobs.add(job(rows, queue, hold));
      }
    }
    jobs.sort(ORDER);
    return jobs;
  }

  private static Job job(ResultSet row, String queue, Job.Hold hold) throws SQLException {
    byte[] payload = row.getBytes(4);
    return new Job(
        row.getLong(1),
        queue,
        Priority.of(row.getInt(2)),
        row.getString(3),
        payload == null ? new byte[0] : payload,
        Attributes.fromJson(row.getString(5)),
        row.getInt(6),
        row.getInt(7),
        instant(row.getLong(8)),
        instant(row.getLong(9)),
        hold);
  }

  private static ClaimStart.Seen seen(List<Job> jobs, int limit, long server) {
    if (jobs.size() < limit) {
      return new ClaimStart.Seen.Everything(server);
    }
    Job last = jobs.get(jobs.size() - 1);
    return new ClaimStart.Seen.Until(
        server, last.priority(), ChronoUnit.MICROS.between(Instant.EPOCH, last.runAt()));
  }

  private static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  private static Short[] lanes() {
    Short[] lanes = new Short[Priority.COUNT];
    for (short code = 0; code < lanes.length; code++) {
      lanes[code] = code;
    }
    return lanes;
  }
}
