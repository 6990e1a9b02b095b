package dev.ingest.app.cli;

import dev.ingest.app.bench.BenchServers;
import dev.ingest.app.bench.report.Report;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** One measurement: opens the servers, measures, writes the report. */
abstract class BenchScenario implements Callable<Integer> {
  @Mixin private BenchOptions options;
  @Spec private CommandSpec spec;

  /** Whether it reads topics. */
  abstract boolean needsBrokers();

  /** Measures, telling of each run as it ends. */
  abstract Report measure(BenchServers servers, int rounds, PrintWriter progress);

  @Override
  public final Integer call() {
    int rounds = options.rounds();
    PrintWriter out = spec.commandLine().getOut();
    try (BenchServers servers = options.open(needsBrokers())) {
      options.write(measure(servers, rounds, out), out);
    }
    return Main.DONE;
  }
}
