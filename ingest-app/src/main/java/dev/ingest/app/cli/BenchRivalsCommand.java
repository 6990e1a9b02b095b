package dev.ingest.app.cli;

import dev.ingest.app.bench.BenchServers;
import dev.ingest.app.bench.pipeline.RivalsBench;
import dev.ingest.app.bench.report.Report;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The product beside other programs. */
@Command(
    name = "rivals",
    mixinStandardHelpOptions = true,
    description = {
      "The product beside other programs that do the same, each started by a script: the same topic into the same",
      "server, watched from outside; then the latency under an even load. deploy/bench/run builds two rivals and",
      "calls this. A script finds RIVAL_BOOTSTRAP, _TOPIC, _GROUP, _URL, _USER, _PASSWORD, _TABLE (business_key,",
      "payload), _BATCH and _CONSUMERS in its environment and becomes the rival (exec)."
    },
    footer = {
      "",
      "Examples:",
      "  ingest bench rivals --rival mine=./start-mine --html rivals.html",
      "  ingest bench rivals --events 100000 --rate 0"
    })
final class BenchRivalsCommand extends BenchScenario {
  @Mixin private BenchSetup setup;

  @Option(
      names = "--rival",
      paramLabel = "NAME=SCRIPT",
      description = "A program and the script that starts it; may be given several times.")
  private Map<String, Path> rivals = new LinkedHashMap<>();

  @Option(
      names = "--events",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Events of about 200 bytes in the topic (default: ${DEFAULT-VALUE}).")
  private long events;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "5000",
      description =
          "Events per second for the latency; 0 leaves it out (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Mixin private BenchPace pace;

  @Override
  boolean needsBrokers() {
    return true;
  }

  @Override
  Report measure(BenchServers servers, int rounds, PrintWriter progress) {
    return new RivalsBench(
            new RivalsBench.Plan(
                rivals, events, rate, pace.warmUp, pace.seconds, setup.with(rounds)),
            servers,
            progress)
        .run();
  }
}
