package dev.ingest.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.testkit.TestDatabase;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * What a call of the program printed and how it ended.
 *
 * @param out standard output, then standard error
 */
record CommandLineCall(int exitCode, String out) {

  /** Calls the program in this JVM against a test database. */
  static CommandLineCall of(TestDatabase database, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        Main.run(new PrintWriter(out, true), new PrintWriter(err, true), on(database, arguments));
    return new CommandLineCall(exitCode, out.toString() + err);
  }

  /** The arguments with those that lead to the database. */
  static String[] on(TestDatabase database, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(
        List.of(
            "--set=ingest.postgres.url=" + database.url(),
            "--set=ingest.postgres.user=" + database.user(),
            "--set=ingest.postgres.password=" + password(database)));
    return all.toArray(String[]::new);
  }

  /** The embedded server asks for none, the program does. */
  private static String password(TestDatabase database) {
    return database.password().isEmpty() ? "any" : database.password();
  }

  /** The same with a line on standard input. */
  static CommandLineCall answering(String line, TestDatabase database, String... arguments) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream((line + "\n").getBytes(UTF_8)));
    try {
      return of(database, arguments);
    } finally {
      System.setIn(before);
    }
  }
}
