package dev.ingest.app.cli;

import picocli.CommandLine.Option;

/** How much memory each process that is measured has. */
final class BenchHeap {
  @Option(
      names = "--heap",
      defaultValue = "256m",
      description = "-Xmx of each process (default: ${DEFAULT-VALUE}).")
  String max = "256m";
}
