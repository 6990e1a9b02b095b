package dev.ingest.app.bench.queue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What is measured of the queue. Immutable.
 *
 * @param jobs of a run
 * @param warmUpJobs that are done before anything is measured
 * @param workers of a run that is not about their number
 * @param heldSeconds how long a worker holds a job that another one waits for
 * @param oneTableDone finished jobs among the waiting ones, for the partial index
 * @param finished jobs in the product's table of finished ones
 * @param snapshotJobs that are done while a snapshot stays open
 * @param rival program of another queue; empty where there is none
 */
public record QueuePlan(
    List<Part> parts,
    int jobs,
    int warmUpJobs,
    int workers,
    List<Integer> batches,
    List<Integer> workerCounts,
    double heldSeconds,
    int oneTableDone,
    int finished,
    int snapshotJobs,
    Optional<Path> rival,
    int rounds) {
  public QueuePlan {
    parts = List.copyOf(parts);
    batches = List.copyOf(batches);
    workerCounts = List.copyOf(workerCounts);
  }
}
