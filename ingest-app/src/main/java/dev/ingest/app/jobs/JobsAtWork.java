package dev.ingest.app.jobs;

import dev.ingest.app.config.JobSettings;
import dev.ingest.app.config.KafkaSettings;
import dev.ingest.kafka.TopicWriter;
import dev.ingest.queue.HandlerSettings;
import dev.ingest.queue.JobEvents;
import dev.ingest.queue.JobWorkers;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The workers of this process, with a handler for each of its jobs. Without workers it still takes
 * care of the tables. {@link #close} is idempotent.
 */
public final class JobsAtWork implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration SHORT_LEASE = Duration.ofSeconds(60);

  private final @Nullable TopicWriter writer;
  private final JobWorkers workers;
  private final Duration closeTimeout;

  private JobsAtWork(@Nullable TopicWriter writer, JobWorkers workers, Duration closeTimeout) {
    this.writer = writer;
    this.workers = workers;
    this.closeTimeout = closeTimeout;
  }

  /** Connections that the data source must give at once. */
  public static int connections(List<JobSettings> jobs, int threads) {
    int connections = 1;
    for (JobSettings job : threads == 0 ? List.<JobSettings>of() : jobs) {
      connections += job.action() instanceof JobSettings.Run ? threads : 1;
    }
    return connections;
  }

  /**
   * @param threads for each job; 0 for none
   * @throws dev.ingest.event.IngestException where the Kafka client refuses its settings
   */
  public static JobsAtWork start(
      DataSource database,
      KafkaSettings kafka,
      List<JobSettings> jobs,
      int threads,
      Duration closeTimeout,
      JobEvents listener) {
    List<JobSettings> ours = threads == 0 ? List.of() : jobs;
    boolean publishes = ours.stream().anyMatch(job -> job.action() instanceof JobSettings.Publish);
    TopicWriter writer = publishes ? new TopicWriter(kafka.properties()) : null;
    HttpClient client = client();
    HostLimits limits = new HostLimits(calls(ours));
    JobWorkers.Plan plan = JobWorkers.on(database).listener(listener);
    for (JobSettings job : ours) {
      HandlerSettings settings = HandlerSettings.DEFAULT.threads(threads).lease(job.lease());
      if (job.action() instanceof JobSettings.Run run) {
        // Here the lease is how long a frozen process may hold its transaction.
        plan.handleInTransaction(job.name(), settings.lease(SHORT_LEASE), new FunctionCall(run));
      } else if (job.action() instanceof JobSettings.Call call) {
        plan.handle(
            job.name(), settings, new HttpCall(client, call, limits, InstantSource.system()));
      } else if (job.action() instanceof JobSettings.Publish publish && writer != null) {
        plan.handle(job.name(), settings, new Publisher(writer, publish.topic()));
      }
    }
    return new JobsAtWork(writer, plan.start(), closeTimeout);
  }

  private static List<JobSettings.Call> calls(List<JobSettings> jobs) {
    return jobs.stream()
        .map(JobSettings::action)
        .filter(JobSettings.Call.class::isInstance)
        .map(JobSettings.Call.class::cast)
        .toList();
  }

  private static HttpClient client() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .followRedirects(HttpClient.Redirect.NEVER)
        .connectTimeout(CONNECT_TIMEOUT)
        .build();
  }

  /** Looks for jobs of a queue at once. */
  public void wake(String queue) {
    workers.wake(queue);
  }

  @Override
  public void close() {
    workers.close(closeTimeout);
    if (writer != null) {
      writer.close();
    }
  }
}
