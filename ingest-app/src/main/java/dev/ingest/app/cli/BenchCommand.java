package dev.ingest.app.cli;

import dev.ingest.app.bench.PipelineBench;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures on servers of its own. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = "Measures the product beside other ways to do the same.",
    subcommands = BenchCommand.Pipeline.class,
    footer = {"", "Examples:", "  ingest bench pipeline"})
final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which measurement? Name one");
  }

  /** From a preloaded topic into the default table. */
  @Command(
      name = "pipeline",
      mixinStandardHelpOptions = true,
      description = {
        "From a preloaded topic into the default table on embedded servers: the product with and without locks,",
        "a lock and an insert row by row, and COPY without dedupe, in turn, each in a process of its own."
      },
      footer = {
        "",
        "Examples:",
        "  ingest bench pipeline",
        "  ingest bench pipeline --events 200000 --rounds 1 --batch 3000"
      })
  static final class Pipeline implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(
        names = "--events",
        defaultValue = "1000000",
        description = "Events of about 200 bytes in the topic (default: ${DEFAULT-VALUE}).")
    private long events;

    @Option(
        names = "--slow-events",
        defaultValue = "50000",
        description = "Events for the row-by-row contestant (default: ${DEFAULT-VALUE}).")
    private long slowEvents;

    @Option(names = "--partitions", defaultValue = "4", description = "Default: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(names = "--consumers", defaultValue = "4", description = "Default: ${DEFAULT-VALUE}.")
    private int consumers;

    @Option(
        names = "--batch",
        defaultValue = "1000",
        description = "Events in a batch at most (default: ${DEFAULT-VALUE}).")
    private int batch;

    @Option(names = "--rounds", defaultValue = "3", description = "Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
        names = "--heap",
        defaultValue = "256m",
        description = "-Xmx of each contestant (default: ${DEFAULT-VALUE}).")
    private String heap = "256m";

    @Override
    public Integer call() {
      new PipelineBench(
              new PipelineBench.Plan(
                  events, slowEvents, partitions, consumers, batch, rounds, heap),
              spec.commandLine().getOut())
          .run();
      return Main.DONE;
    }
  }
}
