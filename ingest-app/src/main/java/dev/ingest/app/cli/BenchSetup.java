package dev.ingest.app.cli;

import dev.ingest.app.bench.pipeline.Setup;
import dev.ingest.app.config.BatchSettings;
import picocli.CommandLine.Mixin;
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
      names = "--linger",
      paramLabel = "MILLISECONDS",
      defaultValue = "" + BatchSettings.DEFAULT_LINGER_MILLIS,
      description = "How long the product waits for a batch to fill (default: ${DEFAULT-VALUE}).")
  private int linger;

  @Mixin private BenchHeap heap;

  Setup with(int rounds) {
    return new Setup(partitions, consumers, batch, linger, rounds, heap.max);
  }
}
