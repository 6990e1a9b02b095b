package dev.ingest.app.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Measures the product beside other ways to do the same. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = {
      "Measures the product beside other ways to do the same, on embedded servers or on yours: every comparison",
      "in one run, contestants in turn, medians and spread. Numbers count on a quiet machine only."
    },
    synopsisSubcommandLabel = "SCENARIO",
    subcommands = {
      BenchStrategiesCommand.class,
      BenchProbeCommand.class,
      BenchPipelineCommand.class,
      BenchLatencyCommand.class,
      BenchScaleCommand.class,
      BenchGrowthCommand.class,
      BenchRivalsCommand.class,
      BenchQueueCommand.class,
    },
    footer = {
      "",
      "Examples:",
      "  ingest bench pipeline --html pipeline.html",
      "  ingest bench strategies --json strategies.json",
      "  ingest bench queue",
      "  ingest bench pipeline --postgres jdbc:postgresql://127.0.0.1:5432/postgres --kafka 127.0.0.1:9092"
    })
final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
