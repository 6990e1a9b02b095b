package dev.ingest.app.cli;

import dev.ingest.app.parked.ParkedFilter;
import java.util.List;
import picocli.CommandLine.Option;

/** What became of the parked events that a command reads. */
final class ParkedStatus {
  @Option(
      names = "--status",
      split = ",",
      defaultValue = ParkedFilter.PARKED,
      paramLabel = "STATUS",
      description = "parked (default), stored, discarded; several joined by commas.")
  private List<String> names = List.of();

  List<String> names() {
    return names;
  }
}
