package dev.ingest.app.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The program itself: names the commands. */
@Command(
    name = "ingest",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    usageHelpWidth = 100,
    versionProvider = Version.class,
    description = "Moves events from Apache Kafka into PostgreSQL, each business key stored once.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      RunCommand.class,
      DemoCommand.class,
      SendCommand.class,
      VerifyCommand.class,
      MigrateCommand.class,
      ConfigCommand.class,
      ParkedCommand.class,
      LocksCommand.class,
      BenchCommand.class,
    },
    footer = {
      "",
      "Settings come from ingest.yaml (or --config), then the environment, then --set; later ones win.",
      "Exit codes: 0 done, 1 failed, 2 wrong usage or settings, 3 found problems.",
      "",
      "Try it without any server of your own:  ingest demo"
    })
final class RootCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      description = "Log more, and print stack traces of failures; they may quote data.")
  private boolean verbose;

  @Option(
      names = "--log-format",
      scope = ScopeType.INHERIT,
      paramLabel = "FORMAT",
      defaultValue = "${env:INGEST_LOG_FORMAT:-text}",
      description = "text or json, on standard error (default: text, or INGEST_LOG_FORMAT).")
  private LogFormat logFormat = LogFormat.TEXT;

  boolean isVerbose() {
    return verbose;
  }

  LogFormat logFormat() {
    return logFormat;
  }

  /** Without a command. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return Main.WRONG_USAGE;
  }
}
