package dev.ingest.app.jobs;

import dev.ingest.pipeline.IngestMeter;
import dev.ingest.queue.Job;
import dev.ingest.queue.JobEvents;
import dev.ingest.queue.JobQueue;
import dev.ingest.queue.Verdict;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Meters of the queue, by queue. One for each registry. Thread-safe. */
public final class JobMeters implements JobEvents {
  private static final String WAITING = "waiting";

  private final MeterRegistry registry;
  private final Map<String, QueueMeters> queues = new ConcurrentHashMap<>();

  public JobMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  private record QueueMeters(
      AtomicLong waiting,
      AtomicLong running,
      AtomicLong failed,
      AtomicLong oldest,
      DistributionSummary claim,
      Timer duration,
      Counter done,
      Counter again,
      Counter gaveUp,
      Counter expired,
      Counter lost) {}

  private QueueMeters of(String queue) {
    return queues.computeIfAbsent(queue, this::register);
  }

  private QueueMeters register(String queue) {
    return new QueueMeters(
        depth(queue, WAITING),
        depth(queue, "running"),
        depth(queue, "failed"),
        gauge(IngestMeter.JOBS_OLDEST, queue),
        IngestMeter.JOBS_CLAIM.summary(registry, queue),
        IngestMeter.JOBS_DURATION.timer(registry, queue),
        IngestMeter.JOBS_ATTEMPTS.counter(registry, queue, "done"),
        IngestMeter.JOBS_ATTEMPTS.counter(registry, queue, "again"),
        IngestMeter.JOBS_ATTEMPTS.counter(registry, queue, "failed"),
        IngestMeter.JOBS_LEASE_EXPIRED.counter(registry, queue),
        IngestMeter.JOBS_LEASE_LOST.counter(registry, queue));
  }

  private AtomicLong depth(String queue, String status) {
    return gauge(IngestMeter.JOBS_DEPTH, queue, status);
  }

  private AtomicLong gauge(IngestMeter meter, String... tags) {
    AtomicLong value = new AtomicLong();
    meter.gauge(registry, value, tags);
    return value;
  }

  /** Makes the meters of a queue, at zero, before the first job of it is seen. */
  public void expect(String queue) {
    of(queue);
  }

  /** What the table holds now, all of it. */
  public void depth(List<JobQueue.Depth> depths) {
    depths.forEach(depth -> of(depth.queue()));
    queues.forEach(
        (queue, meters) -> {
          meters.waiting.set(jobs(depths, queue, WAITING));
          meters.running.set(jobs(depths, queue, "running"));
          meters.failed.set(jobs(depths, queue, "failed"));
          meters.oldest.set(
              depths.stream()
                  .filter(each -> each.queue().equals(queue) && each.status().equals(WAITING))
                  .mapToLong(each -> Math.round(each.oldestSeconds()))
                  .sum());
        });
  }

  private static long jobs(List<JobQueue.Depth> depths, String queue, String status) {
    return depths.stream()
        .filter(each -> each.queue().equals(queue) && each.status().equals(status))
        .mapToLong(JobQueue.Depth::jobs)
        .sum();
  }

  @Override
  public void claimed(String queue, int jobs) {
    of(queue).claim.record(jobs);
  }

  @Override
  public void handled(Job job, Duration took) {
    of(job.queue()).duration.record(took);
  }

  @Override
  public void completed(String queue, int jobs) {
    of(queue).done.increment(jobs);
  }

  @Override
  public void failed(Job job, Verdict verdict, Throwable cause) {
    QueueMeters meters = of(job.queue());
    (verdict instanceof Verdict.Again ? meters.again : meters.gaveUp).increment();
  }

  @Override
  public void leaseLost(String queue, int jobs) {
    of(queue).lost.increment(jobs);
  }

  @Override
  public void leaseExpired(JobQueue.Reaped reaped) {
    of(reaped.queue()).expired.increment();
  }
}
