package dev.ingest.queue;

import java.time.Duration;
import java.util.List;

/**
 * Told of what happens to jobs: meters, logs and tests hang here. Called from all threads of the
 * workers; implementations are thread-safe, quick and never throw.
 */
public interface JobEvents {

  /** Listens to nothing. */
  JobEvents NONE = new JobEvents() {};

  /** Jobs were taken; none is not told. */
  default void claimed(String queue, int jobs) {}

  /** A handler returned or threw. */
  default void handled(Job job, Duration took) {}

  /** The completion of jobs is committed. */
  default void completed(String queue, int jobs) {}

  /**
   * A job went wrong and that is committed.
   *
   * @param cause as the handler threw it; its message may hold what the payload holds
   */
  default void failed(Job job, Verdict verdict, Throwable cause) {}

  /** Outcomes came too late: these jobs were given to others, or are over. */
  default void leaseLost(String queue, int jobs) {}

  /** A job whose worker is gone was put back, or failed for good. */
  default void leaseExpired(JobQueue.Reaped reaped) {}

  /** The database could not be used; it is tried again after {@code pause}. */
  default void databaseFailed(String what, Exception cause, Duration pause) {}

  /** Tells all of them, in order. */
  static JobEvents all(List<JobEvents> listeners) {
    return new JobEventsFanOut(List.copyOf(listeners));
  }
}
