package dev.ingest.app.cli;

import dev.ingest.app.bench.BenchServers;
import dev.ingest.app.bench.pipeline.Contestant;
import dev.ingest.app.bench.pipeline.LatencyBench;
import dev.ingest.app.bench.report.Report;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** From produce to committed. */
@Command(
    name = "latency",
    mixinStandardHelpOptions = true,
    description = {
      "From produce to committed under an even load: p50, p99, p99.9, counted from the moment at which an event",
      "should have been sent, so that a stall counts for all events that it held back; and what of it is COMMIT."
    },
    footer = {
      "",
      "Examples:",
      "  ingest bench latency --html latency.html",
      "  ingest bench latency --rate 20000 --seconds 60 --contestants ingest"
    })
final class BenchLatencyCommand extends BenchScenario {
  @Mixin private BenchSetup setup;

  @Option(
      names = "--contestants",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "ingest,ingest-no-lock,copy",
      description =
          "Those that run, the first one counts as 1: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private List<Contestant> contestants = List.of();

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "5000",
      description = "Events per second (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Mixin private BenchPace pace;

  @Override
  boolean needsBrokers() {
    return true;
  }

  @Override
  Report measure(BenchServers servers, int rounds, PrintWriter progress) {
    return new LatencyBench(
            new LatencyBench.Plan(contestants, rate, pace.warmUp, pace.seconds, setup.with(rounds)),
            servers,
            progress)
        .run();
  }
}
