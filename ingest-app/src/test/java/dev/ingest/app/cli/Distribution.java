package dev.ingest.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The archive that the build made, unpacked. {@link #unpack} builds nothing: without {@code mvn
 * package} before it there is none. Single-threaded.
 */
record Distribution(Path archive, Path home) {
  private static final Path TARGET = Path.of("target");

  /** Unpacks it below the directory. */
  static Distribution unpack(Path directory) {
    Path archive = built("-archive.tar.gz");
    Call.of(
        Map.of(), "tar", "-xzf", archive.toAbsolutePath().toString(), "-C", directory.toString());
    return new Distribution(archive, only(directory, ""));
  }

  /** The runnable jar beside it. */
  static Path runnableJar() {
    return built("-runnable.jar");
  }

  private static Path built(String suffix) {
    return only(TARGET, suffix);
  }

  private static Path only(Path directory, String suffix) {
    List<Path> found =
        names(directory).stream().filter(name -> name.endsWith(suffix)).map(Path::of).toList();
    if (found.size() != 1) {
      throw new IllegalStateException(
          "not one *" + suffix + " in " + directory.toAbsolutePath() + " but " + found);
    }
    return directory.resolve(found.get(0));
  }

  /** Names of the files in one of its directories. */
  List<String> files(String directory) {
    return names(home.resolve(directory));
  }

  private static List<String> names(Path directory) {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("no directory " + directory, e);
    }
  }

  /** Sizes of the files of a directory, in the order of their names. */
  List<Long> sizes(String directory) {
    return files(directory).stream()
        .map(name -> home.resolve(directory).resolve(name).toFile().length())
        .toList();
  }

  /** Runs a program of its {@code bin} to the end. */
  Call call(String program, String... arguments) {
    List<String> command = new ArrayList<>(List.of(bin(program)));
    command.addAll(List.of(arguments));
    return Call.of(Map.of(), command.toArray(String[]::new));
  }

  String bin(String program) {
    return home.resolve("bin").resolve(program).toString();
  }

  /**
   * A program that ran.
   *
   * @param output standard output and standard error
   */
  record Call(int exitCode, String output, Duration took) {
    static Call of(Map<String, String> environment, String... command) {
      try {
        long begin = System.nanoTime();
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("INGEST_"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (!process.waitFor(2, TimeUnit.MINUTES)) {
          process.destroyForcibly();
        }
        return new Call(process.waitFor(), output, Duration.ofNanos(System.nanoTime() - begin));
      } catch (IOException e) {
        throw new UncheckedIOException("can't run " + String.join(" ", command), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Interrupted", e);
      }
    }
  }
}
