package dev.ingest.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.io.PrintStream;
import java.io.PrintWriter;
import picocli.CommandLine;

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
    RootCommand root = new RootCommand();
    return new CommandLine(root)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(out)
        .setErr(err)
        .setExecutionExceptionHandler(
            (thrown, command, parsed) -> failed(thrown, err, root.isVerbose()))
        .execute(arguments);
  }

  /** One clear line; the stack trace only where it is asked for. */
  private static int failed(Exception thrown, PrintWriter err, boolean verbose) {
    boolean ours = thrown instanceof IngestException;
    err.println(
        ours
            ? thrown.getMessage()
            : Code.INTERNAL + ": " + thrown + ". Please report this, with --verbose.");
    if (verbose) {
      thrown.printStackTrace(err);
    }
    return ours && ((IngestException) thrown).code() == Code.CONFIG_INVALID ? WRONG_USAGE : FAILED;
  }
}
