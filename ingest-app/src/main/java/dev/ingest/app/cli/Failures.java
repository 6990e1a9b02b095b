package dev.ingest.app.cli;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.io.PrintWriter;
import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What a command prints when it fails: one line, and with {@code --verbose} the trace. */
final class Failures {
  private Failures() {}

  /** Returns the exit code. */
  static int execution(Exception thrown, PrintWriter err, boolean verbose) {
    boolean ours = thrown instanceof IngestException;
    err.println(ours ? thrown.getMessage() : internal(thrown));
    if (verbose) {
      thrown.printStackTrace(err);
    }
    return ours ? exitCode(((IngestException) thrown).code()) : Main.FAILED;
  }

  static int exitCode(Code code) {
    return switch (code) {
      case CONFIG_INVALID -> Main.WRONG_USAGE;
      case VERIFY_FAILED -> Main.FOUND_PROBLEMS;
      default -> Main.FAILED;
    };
  }

  /** Without the message of the exception, which may quote a row. */
  private static String internal(Exception thrown) {
    String place =
        Arrays.stream(thrown.getStackTrace())
            .filter(frame -> frame.getClassName().startsWith("dev.ingest."))
            .findFirst()
            .map(frame -> " at " + frame.getClassName() + ":" + frame.getLineNumber())
            .orElse("");
    return Code.INTERNAL
        + ": "
        + thrown.getClass().getSimpleName()
        + place
        + ". This is a fault of the program; run it with --verbose and report the trace.";
  }

  /** Returns the exit code. */
  static int usage(ParameterException wrong, PrintWriter err) {
    String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
    err.println(Code.CONFIG_INVALID + ": " + what(wrong) + ". See " + command + " --help.");
    return Main.WRONG_USAGE;
  }

  private static String what(ParameterException wrong) {
    if (wrong instanceof UnmatchedArgumentException unmatched) {
      return unknown(unmatched.getUnmatched().get(0).split("=", 2)[0], wrong.getCommandLine());
    }
    return String.valueOf(wrong.getMessage())
        .replaceFirst("^Error: ", "")
        .replaceAll("\\p{Cntrl}+", " ")
        .replaceFirst("\\.$", "");
  }

  /** A word behind a command is not repeated, since it may be a secret that lost its option. */
  private static String unknown(String argument, CommandLine command) {
    if (argument.startsWith("-")) {
      return "unknown option " + argument;
    }
    return command.getSubcommands().isEmpty()
        ? "one argument too many"
        : "unknown command "
            + argument
            + "; use one of "
            + String.join(", ", command.getSubcommands().keySet());
  }
}
