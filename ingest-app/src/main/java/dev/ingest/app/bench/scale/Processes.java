package dev.ingest.app.bench.scale;

import dev.ingest.app.bench.BenchFailure;
import dev.ingest.app.bench.BenchJava;
import dev.ingest.app.bench.ProcessCpu;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Several {@code ingest run} of one group, each in a JVM of its own. Single-threaded. */
final class Processes implements AutoCloseable {
  private static final String MAIN = "dev.ingest.app.cli.Main";

  private final List<Process> running = new ArrayList<>();

  /**
   * @param settings as {@code --set} takes them
   * @param password of the database, which goes by the environment: others can read arguments
   * @param heap as {@code -Xmx} takes it
   */
  Processes(int count, List<String> settings, String password, String heap) {
    List<String> command = new ArrayList<>(BenchJava.command(heap, MAIN));
    command.add("run");
    settings.forEach(each -> command.add("--set=" + each));
    try {
      for (int i = 0; i < count; i++) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("INGEST_POSTGRES_PASSWORD", password); // empty: not set
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        running.add(builder.start());
      }
    } catch (IOException refused) {
      close();
      throw BenchFailure.of("starting a process", refused);
    }
  }

  boolean areRunning() {
    return running.stream().allMatch(Process::isAlive);
  }

  /** Of all of them, since they started. */
  double cpuSeconds() {
    return running.stream().mapToDouble(each -> ProcessCpu.ofProcess(each.pid())).sum();
  }

  /** Asks them to drain and end; those that don't are killed. */
  @Override
  public void close() {
    running.forEach(Process::destroy);
    try {
      for (Process each : running) {
        if (!each.waitFor(30, TimeUnit.SECONDS)) {
          each.destroyForcibly();
        }
      }
    } catch (InterruptedException stopped) {
      running.forEach(Process::destroyForcibly);
      throw BenchFailure.of("ending processes", stopped);
    }
  }
}
