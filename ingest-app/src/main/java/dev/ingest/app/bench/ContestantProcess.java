package dev.ingest.app.bench;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a contestant in a JVM of its own, so that its processor time and heap are its own, and reads
 * the one line that it prints. Its {@link #main} is that JVM's.
 */
final class ContestantProcess {
  private static final JsonMapper JSON = new JsonMapper();

  private ContestantProcess() {}

  /** Starts the JVM and waits for its end. */
  static Measured run(Contestant contestant, Workload workload, String heap) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heap);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(ContestantProcess.class.getName());
    command.add(contestant.name());
    command.addAll(workload.toArguments());
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.waitFor();
      if (code != 0) {
        throw new IngestException(
            Code.STORE_FAILED, "contestant=" + contestant + " ended with code=" + code);
      }
      return JSON.readValue(output, Measured.class);
    } catch (IOException broken) {
      throw new IngestException(Code.INTERNAL, "contestant=" + contestant + " did not run", broken);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IngestException(Code.INTERNAL, "interrupted", stopped);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, thrown) -> {
          thrown.printStackTrace();
          Runtime.getRuntime().halt(1);
        });
    List<String> all = List.of(arguments);
    Measured measured =
        Contestant.valueOf(all.get(0)).run(Workload.fromArguments(all.subList(1, all.size())));
    System.out.println(JSON.writeValueAsString(measured));
    System.exit(0);
  }
}
