package dev.ingest.app.bench.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.app.bench.BenchFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A rival that a script starts. The script is told everything in the environment and must become
 * the rival's process ({@code exec}), so that its processor time is known. Thread-safe.
 */
final class ExternalProcess implements Running {
  private final Process process;
  private final Path directory;
  private volatile boolean failed;

  private ExternalProcess(Process process, Path directory) {
    this.process = process;
    this.directory = directory;
  }

  static ExternalProcess start(Path script, Workload workload) {
    try {
      Path directory = Files.createTempDirectory("ingest-rival-");
      ProcessBuilder builder =
          new ProcessBuilder(script.toAbsolutePath().toString())
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("output").toFile());
      builder.environment().putAll(environment(workload));
      return new ExternalProcess(builder.start(), directory);
    } catch (IOException refused) {
      throw BenchFailure.of("rival " + script, refused);
    }
  }

  private static Map<String, String> environment(Workload workload) {
    return Map.of(
        "RIVAL_BOOTSTRAP", workload.bootstrap(),
        "RIVAL_TOPIC", workload.topic(),
        "RIVAL_GROUP", workload.group(),
        "RIVAL_URL", workload.database().url(),
        "RIVAL_USER", workload.database().user(),
        "RIVAL_PASSWORD", workload.database().password(),
        "RIVAL_TABLE", workload.table(),
        "RIVAL_BATCH", Integer.toString(workload.batch()),
        "RIVAL_CONSUMERS", Integer.toString(workload.consumers()));
  }

  @Override
  public long pid() {
    return process.pid();
  }

  @Override
  public boolean hasFailed() {
    return !process.isAlive();
  }

  @Override
  public String complaint() {
    failed = true;
    try {
      List<String> lines = Files.readAllLines(directory.resolve("output"), UTF_8);
      String last =
          lines.stream()
              .filter(line -> line.contains("ERROR") || line.contains("Exception"))
              .reduce("it said nothing of errors", (earlier, later) -> later);
      return "Its log is in " + directory + ": " + last;
    } catch (IOException unreadable) {
      return "Its log is in " + directory + ".";
    }
  }

  @Override
  public Map<String, Double> phases() {
    return Map.of();
  }

  /** Its log stays where it failed; the other files may hold the password. */
  @Override
  public void close() {
    process.destroyForcibly();
    try (Stream<Path> files = Files.list(directory)) {
      process.waitFor();
      for (Path each : files.toList()) {
        if (!failed || !each.endsWith("output")) {
          Files.delete(each);
        }
      }
      if (!failed) {
        Files.delete(directory);
      }
    } catch (IOException left) {
      throw BenchFailure.of("removing " + directory, left);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
