package dev.ingest.app.cli;

import dev.ingest.app.bench.BenchServers;
import dev.ingest.app.bench.pipeline.Contestant;
import dev.ingest.app.bench.pipeline.PipelineBench;
import dev.ingest.app.bench.report.Report;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** From a preloaded topic into the default table. */
@Command(
    name = "pipeline",
    mixinStandardHelpOptions = true,
    description = {
      "From a preloaded topic into the default table: the product with a lock per key, with shared locks and without",
      "locks, a lock and an insert row by row, and COPY without dedupe, in turn, each in a process of its own.",
      "Several batch sizes or numbers of consumers give a curve."
    },
    footer = {
      "",
      "Examples:",
      "  ingest bench pipeline",
      "  ingest bench pipeline --events 200000 --rounds 1 --batch 3000",
      "  ingest bench pipeline --contestants ingest --batch 1,10,100,1000,3000,5000 --html curve.html",
      "  ingest bench pipeline --contestants ingest --consumers 1,2,4"
    })
final class BenchPipelineCommand extends BenchScenario {
  @Option(
      names = "--contestants",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "ingest,ingest-stripes,ingest-no-lock,ingest-typed,per-row,copy",
      description =
          "Those that run, the first one counts as 1: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private List<Contestant> contestants = List.of();

  @Option(
      names = "--events",
      defaultValue = "1000000",
      description = "Events of about 200 bytes in the topic (default: ${DEFAULT-VALUE}).")
  private long events;

  @Option(
      names = "--slow-events",
      defaultValue = "50000",
      description =
          "Events for the row-by-row contestant and for batches below 50 (default: ${DEFAULT-VALUE}).")
  private long slowEvents;

  @Option(names = "--partitions", defaultValue = "4", description = "Default: ${DEFAULT-VALUE}.")
  private int partitions;

  @Option(
      names = "--consumers",
      split = ",",
      paramLabel = "N",
      defaultValue = "4",
      description = "One number or several (default: ${DEFAULT-VALUE}).")
  private List<Integer> consumers = List.of();

  @Option(
      names = "--batch",
      split = ",",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Events in a batch at most, one size or several (default: ${DEFAULT-VALUE}).")
  private List<Integer> batches = List.of();

  @Mixin private BenchHeap heap;

  @Override
  boolean needsBrokers() {
    return true;
  }

  @Override
  Report measure(BenchServers servers, int rounds, PrintWriter progress) {
    return new PipelineBench(
            new PipelineBench.Plan(
                contestants, events, slowEvents, partitions, consumers, batches, rounds, heap.max),
            servers,
            progress)
        .run();
  }
}
