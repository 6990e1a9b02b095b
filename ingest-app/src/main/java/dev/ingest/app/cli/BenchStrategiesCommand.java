package dev.ingest.app.cli;

import dev.ingest.app.bench.BenchServers;
import dev.ingest.app.bench.report.Report;
import dev.ingest.app.bench.strategies.Load;
import dev.ingest.app.bench.strategies.StrategiesBench;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Ways to store each key once, over JDBC alone. */
@Command(
    name = "strategies",
    mixinStandardHelpOptions = true,
    description = {
      "Ways to store each key once, over JDBC alone: the product with a lock per key, with shared locks and without,",
      "ON CONFLICT in arrival order, a lock and an insert row by row, reservation rows with SELECT FOR UPDATE, and",
      "locks in Redis where redis-server is installed. Without duplicates, with 20 %, and on keys that writers share."
    },
    footer = {
      "",
      "Examples:",
      "  ingest bench strategies --html strategies.html",
      "  ingest bench strategies --loads hot --stripes 8,64,512 --seconds 10 --rounds 5"
    })
final class BenchStrategiesCommand extends BenchScenario {
  @Option(
      names = "--loads",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "unique,repeats,hot",
      description = "${COMPLETION-CANDIDATES} (default: all).")
  private List<Load> loads = List.of();

  @Option(
      names = "--stripes",
      split = ",",
      paramLabel = "N",
      defaultValue = "16,256,4096",
      description = "Numbers of locks that all keys share (default: ${DEFAULT-VALUE}).")
  private List<Integer> stripes = List.of();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "20",
      description = "Seconds of a run, at most (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Mixin private final BenchWriters writers = new BenchWriters(200_000, 4);

  @Override
  boolean needsBrokers() {
    return false;
  }

  @Override
  Report measure(BenchServers servers, int rounds, PrintWriter progress) {
    return new StrategiesBench(
            new StrategiesBench.Plan(
                loads, stripes, writers.events, seconds, writers.batch, writers.threads, rounds),
            servers,
            progress)
        .run();
  }
}
