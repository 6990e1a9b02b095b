package dev.ingest.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/** Entry point of the program. */
public final class Main {
  /** Done. */
  static final int DONE = 0;

  /** Failed while working. */
  static final int FAILED = 1;

  /** Wrong usage or settings; nothing was done. */
  static final int WRONG_USAGE = 2;

  /** The work is done, and it found problems. */
  static final int FOUND_PROBLEMS = 3;

  private Main() {}

  public static void main(String[] arguments) {
    System.exit(run(writer(System.out), writer(System.err), arguments));
  }

  private static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(stream, true, UTF_8);
  }

  static int run(PrintWriter out, PrintWriter err, String... arguments) {
    if (List.of(arguments).equals(List.of("--version"))) {
      out.println(new Version().getVersion()[0]); // building all commands would take longer
      return DONE;
    }
    RootCommand root = new RootCommand();
    return root.commandLine(arguments)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(out)
        .setErr(err)
        .setExecutionStrategy(parsed -> execute(root, parsed))
        .setParameterExceptionHandler((wrong, args) -> Failures.usage(wrong, err))
        .setExecutionExceptionHandler(
            (thrown, command, parsed) -> Failures.execution(thrown, err, root.isVerbose()))
        .execute(arguments);
  }

  /** Help and version come without a logger, which takes time to set up. */
  private static int execute(RootCommand root, ParseResult parsed) {
    Integer helped = CommandLine.executeHelpRequest(parsed);
    if (helped != null) {
      return helped;
    }
    LogConfigurator.configure(root.logFormat(), root.isVerbose());
    return new RunLast().execute(parsed);
  }
}
