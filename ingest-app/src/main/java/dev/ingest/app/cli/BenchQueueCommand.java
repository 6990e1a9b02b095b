package dev.ingest.app.cli;

import dev.ingest.app.bench.BenchServers;
import dev.ingest.app.bench.queue.Part;
import dev.ingest.app.bench.queue.QueueBench;
import dev.ingest.app.bench.queue.QueuePlan;
import dev.ingest.app.bench.report.Report;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The work queue. */
@Command(
    name = "queue",
    mixinStandardHelpOptions = true,
    description = {
      "The work queue, part by part: batch and workers (the rate by their numbers), locking (SKIP LOCKED beside plain",
      "FOR UPDATE: the rate, and how long a worker waits for a job while another one holds the first), index (1,000",
      "waiting jobs among many finished ones: what a claim takes and how large the index is, primary key beside partial",
      "index), wear (what a million finished jobs and a snapshot that stays open cost), rival (another queue)."
    },
    footer = {
      "",
      "Examples:",
      "  ingest bench queue --json queue.json",
      "  ingest bench queue --parts batch,workers --rounds 5",
      "  ingest bench queue --parts locking,index --held 3 --done 500000 --rounds 5",
      "  ingest bench queue --parts wear --finished 1000000 --snapshot-jobs 400000 --rounds 1"
    })
final class BenchQueueCommand extends BenchScenario {
  @Option(
      names = "--parts",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "batch,workers,locking,index,wear",
      description = "${COMPLETION-CANDIDATES} (default: all but the last).")
  private List<Part> parts = List.of();

  @Option(
      names = "--jobs",
      paramLabel = "N",
      defaultValue = "20000",
      description = "Jobs of a run (default: ${DEFAULT-VALUE}).")
  private int jobs;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "200000",
      description =
          "Jobs done before anything is measured, for Java's compilers (default: ${DEFAULT-VALUE}).")
  private int warmUp;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "8",
      description = "Workers where their number is not the question (default: ${DEFAULT-VALUE}).")
  private int workers;

  @Option(
      names = "--batches",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,20,100,500",
      description = "Jobs claimed at a time (default: ${DEFAULT-VALUE}).")
  private List<Integer> batches = List.of();

  @Option(
      names = "--worker-counts",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,2,4,8,16,32,64",
      description = "Numbers of workers (default: ${DEFAULT-VALUE}).")
  private List<Integer> workerCounts = List.of();

  @Option(
      names = "--held",
      paramLabel = "SECONDS",
      defaultValue = "3",
      description =
          "How long a worker holds a job while another waits for one (default: ${DEFAULT-VALUE}).")
  private double held;

  @Option(
      names = "--done",
      paramLabel = "N",
      defaultValue = "500000",
      description =
          "Finished jobs in one table with 1,000 waiting ones (default: ${DEFAULT-VALUE}).")
  private int done;

  @Option(
      names = "--finished",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Finished jobs of the product's queue (default: ${DEFAULT-VALUE}).")
  private int finished;

  @Option(
      names = "--snapshot-jobs",
      paramLabel = "N",
      defaultValue = "200000",
      description = "Jobs done while a snapshot stays open (default: ${DEFAULT-VALUE}).")
  private int snapshotJobs;

  @Option(
      names = "--rival",
      paramLabel = "PROGRAM",
      description = "Another queue for the part rival; deploy/bench/queue/run has one.")
  private @Nullable Path rival;

  @Override
  boolean needsBrokers() {
    return false;
  }

  @Override
  Report measure(BenchServers servers, int rounds, PrintWriter progress) {
    return new QueueBench(
            new QueuePlan(
                parts,
                jobs,
                warmUp,
                workers,
                batches,
                workerCounts,
                held,
                done,
                finished,
                snapshotJobs,
                Optional.ofNullable(rival),
                rounds),
            servers,
            progress)
        .run();
  }
}
