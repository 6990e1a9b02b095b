package dev.ingest.queue;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Tells several listeners, in order. What one throws reaches neither the others nor the workers.
 */
record JobEventsFanOut(List<JobEvents> listeners) implements JobEvents {
  @Override
  public void claimed(String queue, int jobs) {
    tell(each -> each.claimed(queue, jobs));
  }

  @Override
  public void handled(Job job, Duration took) {
    tell(each -> each.handled(job, took));
  }

  @Override
  public void completed(String queue, int jobs) {
    tell(each -> each.completed(queue, jobs));
  }

  @Override
  public void failed(Job job, Verdict verdict, Throwable cause) {
    tell(each -> each.failed(job, verdict, cause));
  }

  @Override
  public void leaseLost(String queue, int jobs) {
    tell(each -> each.leaseLost(queue, jobs));
  }

  @Override
  public void leaseExpired(JobQueue.Reaped reaped) {
    tell(each -> each.leaseExpired(reaped));
  }

  @Override
  public void databaseFailed(String what, Exception cause, Duration pause) {
    tell(each -> each.databaseFailed(what, cause, pause));
  }

  private void tell(Consumer<JobEvents> news) {
    for (JobEvents each : listeners) {
      try {
        news.accept(each);
      } catch (RuntimeException | Error broken) {
        // it breaks its promise; the jobs are more than what is told of them
      }
    }
  }
}
