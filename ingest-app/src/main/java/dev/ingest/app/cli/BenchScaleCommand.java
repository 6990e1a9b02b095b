package dev.ingest.app.cli;

import dev.ingest.app.bench.BenchServers;
import dev.ingest.app.bench.report.Report;
import dev.ingest.app.bench.scale.ScaleBench;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What more processes bring. */
@Command(
    name = "scale",
    mixinStandardHelpOptions = true,
    description = "One to four processes of one group over a preloaded topic of 16 partitions.",
    footer = {
      "",
      "Examples:",
      "  ingest bench scale",
      "  ingest bench scale --events 200000 --rounds 1 --processes 1,2"
    })
final class BenchScaleCommand extends BenchScenario {
  @Option(
      names = "--events",
      defaultValue = "1000000",
      description = "Events of about 200 bytes in the topic (default: ${DEFAULT-VALUE}).")
  private long events;

  @Option(names = "--partitions", defaultValue = "16", description = "Default: ${DEFAULT-VALUE}.")
  private int partitions;

  @Option(
      names = "--processes",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,2,3,4",
      description = "Numbers of processes, the first one counts as 1 (default: ${DEFAULT-VALUE}).")
  private List<Integer> processes = List.of();

  @Option(
      names = "--consumers",
      defaultValue = "1",
      description = "In each process (default: ${DEFAULT-VALUE}).")
  private int consumers;

  @Option(
      names = "--batch",
      defaultValue = "1000",
      description = "Events in a batch at most (default: ${DEFAULT-VALUE}).")
  private int batch;

  @Mixin private BenchHeap heap;

  @Override
  boolean needsBrokers() {
    return true;
  }

  @Override
  Report measure(BenchServers servers, int rounds, PrintWriter progress) {
    return new ScaleBench(
            new ScaleBench.Plan(events, partitions, processes, consumers, batch, rounds, heap.max),
            servers,
            progress)
        .run();
  }
}
