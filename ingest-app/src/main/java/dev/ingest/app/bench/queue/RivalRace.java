package dev.ingest.app.bench.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.app.bench.BenchFailure;
import dev.ingest.app.bench.Database;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;

/**
 * Another queue in a process of its own, on the same server. The program gets address, user,
 * password, number of jobs and threads as arguments, prints {@code ready} when the jobs are there,
 * waits for a line, does them and prints {@code seconds=…}.
 */
final class RivalRace {
  private static final String SECONDS = "seconds=";

  private RivalRace() {}

  static double seconds(Path program, Database database, int jobs, int threads) {
    List<String> command =
        List.of(
            program.toString(),
            database.url(),
            database.user(),
            database.password(),
            Integer.toString(jobs),
            Integer.toString(threads));
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      try (BufferedReader output = process.inputReader(UTF_8);
          OutputStream input = process.getOutputStream()) {
        await(output, "ready");
        input.write('\n');
        input.flush();
        return Double.parseDouble(await(output, SECONDS).substring(SECONDS.length()));
      } finally {
        process.destroy();
      }
    } catch (IOException failed) {
      throw BenchFailure.of("the rival", failed);
    }
  }

  private static String await(BufferedReader output, String start) throws IOException {
    String line = output.readLine();
    while (line != null && !line.startsWith(start)) {
      line = output.readLine();
    }
    if (line == null) {
      throw new IngestException(
          Code.INTERNAL,
          "the rival ended without saying " + start + "; run it by hand to see why.");
    }
    return line;
  }
}
