package dev.ingest.queue;

/**
 * The work of a queue, run while a lease is held. It may run again for the same job: after a
 * failure, and when the worker dies or loses its lease before the outcome is recorded. Called from
 * several threads at once.
 */
@FunctionalInterface
public interface JobHandler {
  /**
   * @throws Exception what went wrong: the job is tried again later, or counts as failed after its
   *     last attempt; a {@link JobFailedException} says when, or that no try will mend it
   */
  void handle(Job job) throws Exception;
}
