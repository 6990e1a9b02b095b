package dev.ingest.app.jobs;

import dev.ingest.app.config.JobSettings;
import dev.ingest.plan.KeyGroup;
import dev.ingest.postgres.NewEvents;
import dev.ingest.queue.JobQueue;
import dev.ingest.queue.NewJob;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts jobs into the queue in the transaction that stores events: one of each kind for each new
 * event. Immutable, thread-safe.
 */
public final class EventJobs implements NewEvents {
  private static final List<String> TABLES = List.of("ingest.job");

  private final List<JobSettings> jobs;
  private final JobQueue queue = new JobQueue();

  public EventJobs(List<JobSettings> jobs) {
    this.jobs = List.copyOf(jobs);
  }

  private List<JobSettings> of(String route) {
    return jobs.stream().filter(job -> job.routes().contains(route)).toList();
  }

  /** Names of the queues that new events of a route fill. */
  public List<String> queues(String route) {
    return of(route).stream().map(JobSettings::name).toList();
  }

  @Override
  public List<String> tables(String route) {
    return of(route).isEmpty() ? List.of() : TABLES;
  }

  @Override
  public void stored(Connection connection, String route, List<KeyGroup> groups)
      throws SQLException {
    List<NewJob> made = new ArrayList<>();
    for (JobSettings job : of(route)) {
      groups.forEach(group -> made.add(EventJob.of(job, group)));
    }
    queue.enqueue(connection, made);
  }
}
