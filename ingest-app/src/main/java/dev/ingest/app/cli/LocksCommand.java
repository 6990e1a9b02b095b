package dev.ingest.app.cli;

import dev.ingest.app.config.Concern;
import dev.ingest.app.config.Config;
import dev.ingest.postgres.locks.LockReader;
import dev.ingest.postgres.locks.LockReport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows who waits for whom on the database server. */
@Command(
    name = "locks",
    mixinStandardHelpOptions = true,
    description = {
      "Shows who waits for a lock on the database server and who is to blame, the root first, with application,",
      "state, age of the transaction and the statement without its literals; how full the shared lock table is;",
      "deadlocks so far. Changes nothing, unless asked to end a session."
    },
    footer = {
      "",
      "Examples:",
      "  ingest locks",
      "  ingest locks --watch",
      "  ingest locks --json | jq '.tree.roots[].session.pid'",
      "  ingest locks --terminate 4711"
    })
final class LocksCommand implements Callable<Integer> {
  private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

  @Mixin private SettingOptions settings;
  @Spec private CommandSpec spec;

  @Option(
      names = "--watch",
      arity = "0..1",
      fallbackValue = "2",
      paramLabel = "SECONDS",
      description = "Show it again and again until Ctrl-C; every 2 seconds where none are given.")
  private @Nullable Integer watch;

  @Option(names = "--json", description = "Print the report as JSON; with --watch one line each.")
  private boolean json;

  @Option(
      names = "--terminate",
      paramLabel = "PID",
      description = "End this session after asking; its transaction is rolled back.")
  private @Nullable Integer terminate;

  @Override
  public Integer call() throws InterruptedException {
    if (watch != null && watch < 1) {
      throw new ParameterException(spec.commandLine(), "--watch=" + watch + " is below 1.");
    }
    if (terminate != null && (watch != null || json)) {
      throw new ParameterException(spec.commandLine(), "--terminate goes without the others.");
    }
    Config config = settings.load(EnumSet.of(Concern.POSTGRES));
    LockReader reader = new LockReader(config.lock().namespace());
    Integer pid = terminate;
    return OneConnection.with(
        config.postgres(),
        "looking at locks",
        connection -> pid == null ? show(reader, connection) : end(reader, connection, pid));
  }

  private int show(LockReader reader, Connection connection) throws SQLException {
    PrintWriter out = spec.commandLine().getOut();
    print(out, reader.report(connection));
    while (watch != null && pause(watch)) {
      print(out, reader.report(connection));
    }
    return Main.DONE;
  }

  private static boolean pause(int seconds) {
    try {
      Thread.sleep(seconds * 1000L);
      return true;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void print(PrintWriter out, LockReport report) {
    if (json) {
      out.println(watch == null ? Json.pretty(report) : Json.line(report));
    } else {
      out.print((watch != null && System.console() != null ? CLEAR_SCREEN : ""));
      out.print(LocksText.of(report));
    }
    out.flush();
  }

  private int end(LockReader reader, Connection connection, int pid) throws SQLException {
    PrintWriter out = spec.commandLine().getOut();
    Optional<LockReader.SessionId> session = reader.find(connection, pid);
    if (session.isEmpty()) {
      out.println("No client session has pid " + pid + ".");
      return Main.FAILED;
    }
    out.print(LocksText.of(reader.report(connection)));
    out.print("End session " + pid + "? Its transaction is rolled back. Type yes to do it: ");
    out.flush();
    if (!"yes".equals(readLine())) {
      out.println("Nothing was done.");
      return Main.FAILED;
    }
    boolean ended = reader.terminate(connection, session.get());
    out.println(ended ? "Session " + pid + " is ended." : "Session " + pid + " was gone already.");
    return Main.DONE;
  }

  private static @Nullable String readLine() {
    try {
      // Not closed: standard input is not ours.
      String line =
          new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
      return line == null ? null : line.strip();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
