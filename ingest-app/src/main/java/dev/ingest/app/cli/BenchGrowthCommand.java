package dev.ingest.app.cli;

import dev.ingest.app.bench.BenchServers;
import dev.ingest.app.bench.pipeline.Contestant;
import dev.ingest.app.bench.pipeline.GrowthBench;
import dev.ingest.app.bench.report.Report;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The rate as the table grows. */
@Command(
    name = "growth",
    mixinStandardHelpOptions = true,
    description = {
      "The rate as the default table grows from nothing to ten million rows, told at even steps. Needs about 8 GB of",
      "disk for the topic and the table."
    },
    footer = {
      "",
      "Examples:",
      "  ingest bench growth --rounds 1 --html growth.html",
      "  ingest bench growth --rows 2000000 --steps 10 --contestants ingest,ingest-no-lock"
    })
final class BenchGrowthCommand extends BenchScenario {
  @Mixin private BenchSetup setup;
  @Spec private CommandSpec spec;

  @Option(
      names = "--contestants",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "ingest",
      description = "Those that run: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private List<Contestant> contestants = List.of();

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "10000000",
      description = "Rows in the table at the end (default: ${DEFAULT-VALUE}).")
  private long rows;

  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "20",
      description = "How often the rate is told, at least 3 (default: ${DEFAULT-VALUE}).")
  private int steps;

  @Override
  boolean needsBrokers() {
    return true;
  }

  @Override
  Report measure(BenchServers servers, int rounds, PrintWriter progress) {
    if (steps < 3 || rows < steps) {
      throw new ParameterException(
          spec.commandLine(), "--steps=" + steps + " is below 3 or above --rows=" + rows);
    }
    return new GrowthBench(
            new GrowthBench.Plan(contestants, rows, steps, setup.with(rounds)), servers, progress)
        .run();
  }
}
