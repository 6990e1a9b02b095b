package dev.ingest.app.jobs;

import dev.ingest.queue.Job;
import dev.ingest.queue.JobEvents;
import dev.ingest.queue.JobQueue;
import dev.ingest.queue.Verdict;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what a person may have to look at, at most one line a minute of each kind and queue. What a
 * handler threw may quote a payload, so its class alone is told; the text is in the job's row.
 * Thread-safe.
 */
public final class JobLog implements JobEvents {
  private static final Logger LOG = LoggerFactory.getLogger(JobLog.class);
  private static final long INTERVAL = Duration.ofMinutes(1).toNanos();

  private final Map<String, Long> told = new ConcurrentHashMap<>();

  @Override
  public void failed(Job job, Verdict verdict, Throwable cause) {
    String error = cause.getClass().getSimpleName();
    if (verdict instanceof Verdict.Again again) {
      LOG.debug("{} failed: error={}, again in {} ms", job, error, again.delay().toMillis());
    } else if (isDue("failed " + job.queue())) {
      LOG.error(
          "{} failed for good: error={}. See last_error of ingest.job WHERE status = 'failed' AND"
              + " queue = '{}'",
          job,
          error,
          job.queue());
    }
  }

  @Override
  public void leaseExpired(JobQueue.Reaped reaped) {
    if (isDue("expired " + reaped.queue())) {
      LOG.warn("jobs of a worker that is gone were taken back: queue={}", reaped.queue());
    }
  }

  @Override
  public void databaseFailed(String what, Exception cause, Duration pause) {
    if (isDue("database")) {
      LOG.warn(
          "{} wait for the database: sqlstate={} error={}; tried again until it works",
          what,
          cause instanceof SQLException sql ? sql.getSQLState() : "none",
          cause.getClass().getSimpleName());
    }
  }

  private boolean isDue(String kind) {
    long now = System.nanoTime();
    return told.merge(kind, now, (last, next) -> next - last >= INTERVAL ? next : last) == now;
  }
}
