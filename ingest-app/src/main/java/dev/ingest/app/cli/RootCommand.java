package dev.ingest.app.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The program itself: names the commands. */
@Command(
    name = "ingest",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Moves events from Apache Kafka into PostgreSQL, each business key stored once.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      RunCommand.class,
      DemoCommand.class,
      SendCommand.class,
      VerifyCommand.class,
      BenchCommand.class,
    },
    footer = {
      "",
      "Settings come from ingest.yaml (or --config), then the environment, then --set; later ones win.",
      "Exit codes: 0 done, 1 failed, 2 wrong usage or settings, 3 found problems.",
      "",
      "Try it without any server of your own:  ingest demo"
    })
final class RootCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      description = "Print stack traces of failures.")
  private boolean verbose;

  boolean isVerbose() {
    return verbose;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command? Name one of those below.");
  }
}
