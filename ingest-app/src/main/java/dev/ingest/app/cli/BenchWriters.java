package dev.ingest.app.cli;

import picocli.CommandLine.Option;

/** Who writes how much over JDBC alone. */
final class BenchWriters {
  @Option(
      names = "--events",
      paramLabel = "N",
      description = "Events of a run, at most (default: ${DEFAULT-VALUE}).")
  int events;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "Events in a transaction; a tenth on the hot set (default: ${DEFAULT-VALUE}).")
  int batch = 1000;

  @Option(
      names = "--writers",
      paramLabel = "N",
      description = "Threads with a connection each (default: ${DEFAULT-VALUE}).")
  int threads;

  /** With these defaults. */
  BenchWriters(int events, int threads) {
    this.events = events;
    this.threads = threads;
  }
}
