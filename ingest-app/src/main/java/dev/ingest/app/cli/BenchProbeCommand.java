package dev.ingest.app.cli;

import dev.ingest.app.bench.BenchServers;
import dev.ingest.app.bench.report.Report;
import dev.ingest.app.bench.strategies.Load;
import dev.ingest.app.bench.strategies.ProbeBench;
import dev.ingest.app.bench.strategies.ProbeWay;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Looking for keys where no unique index can. */
@Command(
    name = "probe",
    mixinStandardHelpOptions = true,
    description = {
      "Into tables partitioned by day, where keys are looked for under their locks before rows are written: how that",
      "grows with the number of partitions and their size, with and without a dedupe window; and the rows of new keys",
      "by INSERT, as the product does, and by COPY."
    },
    footer = {
      "",
      "Examples:",
      "  ingest bench probe --html probe.html",
      "  ingest bench probe --days 365 --rows 2000 --events 3000 --rounds 1",
      "  ingest bench probe --unpartitioned --days 30 --ways insert,copy --events 50000 --rounds 5"
    })
final class BenchProbeCommand extends BenchScenario {
  @Option(
      names = "--days",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,8,30,90",
      description = "Numbers of partitions, one day each (default: ${DEFAULT-VALUE}).")
  private List<Integer> days = List.of();

  @Option(
      names = "--rows",
      split = ",",
      paramLabel = "N",
      defaultValue = "2000,20000",
      description = "Rows in each partition before a run (default: ${DEFAULT-VALUE}).")
  private List<Integer> rows = List.of();

  @Option(
      names = "--unpartitioned",
      description =
          "Also the default table, and six typed columns with an identity column, where the unique index decides.")
  private boolean unpartitioned;

  @Option(
      names = "--ways",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "insert,insert-window",
      description =
          "Those that run, ratios are to insert: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private List<ProbeWay> ways = List.of();

  @Option(
      names = "--load",
      paramLabel = "NAME",
      defaultValue = "unique",
      description = "Which keys come: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Load load = Load.UNIQUE;

  @Mixin private final BenchWriters writers = new BenchWriters(10_000, 1);

  @Override
  boolean needsBrokers() {
    return false;
  }

  @Override
  Report measure(BenchServers servers, int rounds, PrintWriter progress) {
    return new ProbeBench(
            new ProbeBench.Plan(
                unpartitioned,
                days,
                rows,
                ways,
                load,
                writers.events,
                writers.batch,
                writers.threads,
                rounds),
            servers,
            progress)
        .run();
  }
}
