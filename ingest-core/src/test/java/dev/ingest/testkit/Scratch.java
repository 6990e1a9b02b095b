package dev.ingest.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Directories of the servers this JVM started. A small shell waits for the end of the JVM, whatever
 * ended it, then stops the PostgreSQL servers below the root and removes everything; a shutdown
 * hook would miss a killed JVM. Thread-safe.
 */
final class Scratch {
  private static final String GUARD =
      """
      trap '' INT HUP TERM
      cat > /dev/null
      for file in "$1"/*/data/postmaster.pid; do
        [ -f "$file" ] && kill -QUIT "$(head -n 1 "$file")"
      done
      until rm -rf "$1"; do sleep 0.2; done
      """;

  private static final Path ROOT = createRoot();

  // Its standard input is the pipe that closes when this JVM ends; never closed by hand.
  @SuppressWarnings("unused")
  private static final Process GUARDIAN = startGuardian();

  private Scratch() {}

  /** A new empty directory, removed after the end of the JVM. */
  static Path directory(String prefix) {
    try {
      return Files.createTempDirectory(ROOT, prefix + "-");
    } catch (IOException e) {
      throw new UncheckedIOException("No directory below " + ROOT, e);
    }
  }

  private static Path createRoot() {
    try {
      return Files.createTempDirectory("ingest-servers-");
    } catch (IOException e) {
      throw new UncheckedIOException("No temporary directory", e);
    }
  }

  private static Process startGuardian() {
    try {
      return new ProcessBuilder("sh", "-c", GUARD, "sh", ROOT.toString())
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException("No shell to clean up " + ROOT, e);
    }
  }
}
