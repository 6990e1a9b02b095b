package dev.ingest.app.cli;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What a command prints when it fails: one line, and with {@code --verbose} the trace. */
final class Failures {
  private Failures() {}

  /** Returns the exit code. */
  static int execution(Exception thrown, PrintWriter err, boolean verbose) {
    Throwable failure = unwrapped(thrown);
    int exitCode = Main.FAILED;
    if (failure instanceof IngestException ours) {
      err.println(ours.getMessage());
      exitCode = exitCode(ours.code());
    } else {
      err.println(internal(failure));
    }
    if (verbose) {
      thrown.printStackTrace(err);
    }
    return exitCode;
  }

  /** What another thread threw, rather than that it threw. */
  private static Throwable unwrapped(Throwable thrown) {
    boolean wrapper = thrown instanceof CompletionException || thrown instanceof ExecutionException;
    Throwable cause = thrown.getCause();
    return wrapper && cause != null ? unwrapped(cause) : thrown;
  }

  static int exitCode(Code code) {
    return switch (code) {
      case CONFIG_INVALID -> Main.WRONG_USAGE;
      case VERIFY_FAILED -> Main.FOUND_PROBLEMS;
      default -> Main.FAILED;
    };
  }

  /** Classes and place without the messages, which may quote a row. */
  private static String internal(Throwable failure) {
    String classes =
        Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
            .map(each -> each.getClass().getSimpleName())
            .collect(Collectors.joining("<"));
    String place =
        Arrays.stream(failure.getStackTrace())
            .filter(frame -> frame.getClassName().startsWith("dev.ingest."))
            .findFirst()
            .map(frame -> " at " + frame.getClassName() + ":" + frame.getLineNumber())
            .orElse("");
    return Code.INTERNAL
        + ": "
        + classes
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
