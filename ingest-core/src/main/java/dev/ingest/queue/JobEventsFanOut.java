package dev.ingest.queue;

import java.time.Duration;
import java.util.List;

/** Tells several listeners, in order. */
record JobEventsFanOut(List<JobEvents> listeners) implements JobEvents {
  @Override
  public void claimed(String queue, int jobs) {
    listeners.forEach(each -> each.claimed(queue, jobs));
  }

  @Override
  public void handled(Job job, Duration took) {
    listeners.forEach(each -> each.handled(job, took));
  }

  @Override
  public void completed(String queue, int jobs) {
    listeners.forEach(each -> each.completed(queue, jobs));
  }

  @Override
  public void failed(Job job, Verdict verdict, Throwable cause) {
    listeners.forEach(each -> each.failed(job, verdict, cause));
  }

  @Override
  public void leaseLost(String queue, int jobs) {
    listeners.forEach(each -> each.leaseLost(queue, jobs));
  }

  @Override
  public void leaseExpired(JobQueue.Reaped reaped) {
    listeners.forEach(each -> each.leaseExpired(reaped));
  }

  @Override
  public void databaseFailed(String what, Exception cause, Duration pause) {
    listeners.forEach(each -> each.databaseFailed(what, cause, pause));
  }
}
