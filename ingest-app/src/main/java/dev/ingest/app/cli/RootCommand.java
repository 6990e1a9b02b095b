package dev.ingest.app.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
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
    footer = {
      "",
      "Settings come from ingest.yaml (or --config), then the environment, then --set; later ones win.",
      "Exit codes: 0 done, 1 failed, 2 wrong usage or settings, 3 found problems.",
      "",
      "Try it without any server of your own:  ingest demo"
    })
final class RootCommand implements Callable<Integer> {
  private static final List<String> COMMANDS =
      List.of("run", "demo", "send", "verify", "migrate", "config", "parked", "locks", "bench");

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

  /**
   * Building commands takes time at each start: where the first argument names one, it is built
   * alone.
   */
  CommandLine commandLine(String... arguments) {
    CommandLine line = new CommandLine(this);
    boolean named = arguments.length > 0 && COMMANDS.contains(arguments[0]);
    (named ? List.of(arguments[0]) : COMMANDS)
        .forEach(name -> line.addSubcommand(name, command(name)));
    return line;
  }

  private static Object command(String name) {
    return switch (name) {
      case "run" -> new RunCommand();
      case "demo" -> new DemoCommand();
      case "send" -> new SendCommand();
      case "verify" -> new VerifyCommand();
      case "migrate" -> new MigrateCommand();
      case "config" -> new ConfigCommand();
      case "parked" -> new ParkedCommand();
      case "locks" -> new LocksCommand();
      case "bench" -> new BenchCommand();
      default -> throw new IllegalArgumentException("no command " + name);
    };
  }

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
