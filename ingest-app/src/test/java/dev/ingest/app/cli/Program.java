package dev.ingest.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One command of the program in a process of its own, as small as it may be, in a locale and a time
 * zone that are odd on purpose. Ends with the test. Thread-safe.
 */
public final class Program implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final Process process;
  private final Path directory;

  private Program(Process process, Path directory) {
    this.process = process;
    this.directory = directory;
  }

  /** Starts the command in a directory of its own, without settings from this environment. */
  public static Program start(String... arguments) {
    return start(Arrays.asList(arguments));
  }

  public static Program start(List<String> arguments) {
    return start(128, arguments);
  }

  /**
   * @param heap in megabytes
   */
  public static Program start(int heap, List<String> arguments) {
    List<String> command =
        ChildJava.command(
            "-Xmx" + heap + "m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Duser.language=tr",
            "-Duser.country=TR",
            "-Duser.timezone=Asia/Kathmandu");
    command.add(Child.class.getName());
    command.addAll(arguments);
    try {
      Path directory = Files.createTempDirectory("ingest-program-");
      ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
      builder.environment().keySet().removeIf(name -> name.startsWith("INGEST_"));
      builder.redirectErrorStream(true).redirectOutput(directory.resolve("output").toFile());
      return new Program(builder.start(), directory);
    } catch (IOException e) {
      throw new UncheckedIOException("No process for " + arguments, e);
    }
  }

  /** What it wrote so far, standard output and standard error in one. */
  public String output() {
    try {
      return Files.readString(directory.resolve("output"), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("No output in " + directory, e);
    }
  }

  /** The lines that hold the text. */
  public List<String> lines(String text) {
    return output().lines().filter(line -> line.contains(text)).toList();
  }

  /** Waits until a line holds the text and returns the first one. */
  public String awaitLine(String text) {
    await("a line with " + text)
        .atMost(PATIENCE)
        .failFast("it ended without: " + text, () -> !isAlive() && lines(text).isEmpty())
        .until(() -> !lines(text).isEmpty());
    return lines(text).get(0);
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** SIGSTOP: no thread of it gets on until {@link #thaw}. */
  public void freeze() {
    signal("STOP");
  }

  /** SIGCONT. */
  public void thaw() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException("No signal for " + process.pid(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }

  /** SIGTERM. */
  public void terminate() {
    process.destroy();
  }

  /** SIGKILL; returns when it is gone. */
  public void kill() {
    process.destroyForcibly();
    awaitExit(PATIENCE);
  }

  /** Waits for its end and returns its exit code. */
  public int awaitExit() {
    return awaitExit(PATIENCE);
  }

  public int awaitExit(Duration patience) {
    try {
      if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError("It still runs after " + patience + ":\n" + output());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }

  @Override
  public void close() {
    kill();
    try {
      Files.delete(directory.resolve("output"));
      Files.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(directory + " stays behind", e);
    }
  }
}
