package dev.ingest.app.cli;

import dev.ingest.app.bench.pipeline.Setup;
import picocli.CommandLine.Option;

/** What measurements from a topic have in common. */
final class BenchSetup {
  @Option(
      names = "--partitions",
      paramLabel = "N",
      defaultValue = "4",
      description = "Default: ${DEFAULT-VALUE}.")
  private int partitions;

  @Option(
      names = "--consumers",
      paramLabel = "N",
      defaultValue = "4",
      description = "Default: ${DEFAULT-VALUE}.")
  private int consumers;

  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Events in a batch at most (default: ${DEFAULT-VALUE}).")
  private int batch;

  @Option(
      names = "--heap",
      defaultValue = "256m",
      description = "-Xmx of each contestant (default: ${DEFAULT-VALUE}).")
  private String heap = "256m";

  Setup with(int rounds) {
    return new Setup(partitions, consumers, batch, rounds, heap);
  }
}
