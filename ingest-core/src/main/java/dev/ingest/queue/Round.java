package dev.ingest.queue;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One transaction of a {@link LongLoop}: outcomes, leases, new claims. Used once, by one thread.
 */
final class Round {
  private final Site site;
  private final String name;
  private final Duration lease;
  private final JobsInHand.Due due;
  private final List<JobsInHand.Held> leased;
  private final int room;

  private final Set<Long> recorded = new HashSet<>();
  private Set<Long> confirmed = Set.of();
  private Set<Long> extended = Set.of();
  private List<Job> claimed = List.of();
  private boolean commitSent;

  Round(
      Site site,
      String name,
      Duration lease,
      JobsInHand.Due due,
      List<JobsInHand.Held> leased,
      int room) {
    this.site = site;
    this.name = name;
    this.lease = lease;
    this.due = due;
    this.leased = leased;
    this.room = room;
  }

  void run() throws SQLException {
    commitSent =
        site.transact(
            lease,
            connection -> {
              transact(connection, site.queue());
              return true;
            });
  }

  private void transact(Connection connection, JobQueue queue) throws SQLException {
    recorded.addAll(queue.complete(connection, jobs(due.done())));
    recorded.addAll(
        queue.fail(connection, due.failed().stream().map(JobsInHand.Held::failure).toList()));
    queue.release(connection, jobs(due.untried()));
    confirmed = queue.confirm(connection, jobs(due.unconfirmed()), lease, site.worker());
    extended = queue.extend(connection, jobs(leased), lease);
    if (room > 0) {
      claimed = queue.claim(connection, name, room, lease, site.worker());
    }
    commitSent = true;
    connection.commit();
  }

  private static List<Job> jobs(List<JobsInHand.Held> held) {
    return held.stream().map(JobsInHand.Held::job).toList();
  }

  /** Whether the transaction may have been committed although {@link #run} threw. */
  boolean isCommitSent() {
    return commitSent;
  }

  /** Those whose outcome is recorded, now or by a commit whose reply was lost. */
  List<JobsInHand.Held> recorded(List<JobsInHand.Held> told) {
    return told.stream()
        .filter(held -> recorded.contains(held.job().id()) || held.outcomeSent())
        .toList();
  }

  Set<Long> confirmed() {
    return confirmed;
  }

  Set<Long> extended() {
    return extended;
  }

  List<Job> claimed() {
    return claimed;
  }
}
