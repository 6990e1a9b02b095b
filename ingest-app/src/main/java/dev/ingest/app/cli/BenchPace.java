package dev.ingest.app.cli;

import picocli.CommandLine.Option;

/** How long the scenarios with an even pace last. */
final class BenchPace {
  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "90",
      description =
          "Not counted (default: ${DEFAULT-VALUE}). Brokers and programs are compiled while they run: on few"
              + " processors that takes a minute or more, and everything waits for it meanwhile.")
  double warmUp;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "20",
      description = "Counted (default: ${DEFAULT-VALUE}).")
  double seconds;
}
