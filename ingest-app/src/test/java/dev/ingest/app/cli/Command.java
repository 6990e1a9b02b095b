package dev.ingest.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/**
 * A command that ran in this JVM, which is quicker than a process.
 *
 * @param out what it wrote to standard output
 * @param err what it wrote to standard error, but for log lines
 */
public record Command(int exitCode, String out, String err) {
  public static Command run(List<String> arguments) {
    return run(arguments.toArray(String[]::new));
  }

  public static Command run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    return new Command(exitCode, out.toString(), err.toString());
  }

  public JsonNode json() {
    try {
      return new JsonMapper().readTree(out);
    } catch (IOException e) {
      throw new AssertionError("No JSON: " + out + err, e);
    }
  }
}
