package dev.ingest.app.bench.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ingest.app.bench.BenchFailure;
import dev.ingest.app.bench.BenchJava;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A contestant in a JVM of its own, so that its processor time and heap are its own. It is told its
 * workload on standard input, so that no password is seen among the processes, and prints one line.
 * Its {@link #main} is that JVM's, which ends with this one at the latest.
 */
public final class ContestantProcess implements Running {
  private static final JsonMapper JSON = new JsonMapper();

  private final Contestant contestant;
  private final Process process;

  private ContestantProcess(Contestant contestant, Process process) {
    this.contestant = contestant;
    this.process = process;
  }

  /**
   * @param heap as {@code -Xmx} takes it
   */
  static ContestantProcess start(Contestant contestant, Workload workload, String heap) {
    List<String> command =
        new ArrayList<>(BenchJava.command(heap, ContestantProcess.class.getName()));
    command.add(contestant.name());
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      OutputStream input = process.getOutputStream();
      input.write((JSON.writeValueAsString(workload) + "\n").getBytes(UTF_8));
      input.flush();
      return new ContestantProcess(contestant, process);
    } catch (IOException broken) {
      throw BenchFailure.of("contestant=" + contestant, broken);
    }
  }

  /** Waits for its end. */
  Measured await() {
    try {
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      int code = process.waitFor();
      if (code != 0) {
        throw new IngestException(
            Code.STORE_FAILED, "contestant=" + contestant + " ended with code=" + code + ".");
      }
      return JSON.readValue(output, Measured.class);
    } catch (IOException | InterruptedException broken) {
      throw BenchFailure.of("contestant=" + contestant, broken);
    }
  }

  @Override
  public long pid() {
    return process.pid();
  }

  @Override
  public boolean hasFailed() {
    return !process.isAlive() && process.exitValue() != 0;
  }

  @Override
  public String complaint() {
    return "Its log stands above.";
  }

  @Override
  public Map<String, Double> phases() {
    return await().phases();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  public static void main(String[] arguments) throws Exception {
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, thrown) -> {
          thrown.printStackTrace();
          Runtime.getRuntime().halt(1);
        });
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    Workload workload = JSON.readValue(input.readLine(), Workload.class);
    Thread watch = new Thread(() -> endWith(input), "parent-watch");
    watch.setDaemon(true);
    watch.start();
    Measured measured = Contestant.valueOf(arguments[0]).run(workload);
    System.out.println(JSON.writeValueAsString(measured));
    System.exit(0);
  }

  /** Nothing more comes; the end of input is the end of the parent. */
  private static void endWith(BufferedReader input) {
    try {
      input.readLine();
    } catch (IOException gone) {
      // the same
    }
    Runtime.getRuntime().halt(2);
  }
}
