package dev.ingest.app.dev;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Holds a directory for the embedded servers of one program, and a small shell that outlives this
 * JVM by a moment: when the JVM has ended, whatever ended it, the shell stops the PostgreSQL server
 * it was told of, and removes the directory if that is temporary. Shutdown hooks would miss a
 * killed JVM and race with the rest of the program. {@code close} does the same at once.
 */
final class Guardian implements AutoCloseable {
  private static final long DEADLINE_SECONDS = 10;

  // The pipe on its standard input closes when this JVM ends. Ctrl-C reaches the shell too, and
  // must not end it. A process id alone may belong to somebody else by then.
  private static final String SCRIPT =
      """
      trap '' INT HUP TERM
      pid=$(cat)
      file="$1/postgres/data/postmaster.pid"
      if [ -n "$pid" ] && [ -f "$file" ] && [ "$(head -n 1 "$file")" = "$pid" ]; then kill -INT "$pid"; fi
      if [ "$2" = temporary ]; then until rm -rf "$1"; do sleep 0.2; done; fi
      """;

  private final FileChannel lock;
  private final Process shell;

  private Guardian(FileChannel lock, Process shell) {
    this.lock = lock;
    this.shell = shell;
  }

  /**
   * Takes the directory, which is made if need be.
   *
   * @throws IngestException when another program has it; a broker would write into its files
   */
  static Guardian of(Path directory, boolean temporary) {
    FileChannel lock = lock(directory);
    try {
      return new Guardian(lock, shell(directory, temporary));
    } catch (IOException e) {
      throw new IngestException(
          Code.INTERNAL,
          "no shell (sh) to clean up after the embedded servers. Put one on the PATH.",
          e);
    }
  }

  private static FileChannel lock(Path directory) {
    try {
      Files.createDirectories(directory);
      FileChannel channel = FileChannel.open(directory.resolve("ingest.lock"), CREATE, WRITE);
      if (channel.tryLock() != null) {
        return channel;
      }
      channel.close();
    } catch (OverlappingFileLockException e) {
      // this program has it already
    } catch (IOException e) {
      throw new IngestException(
          Code.CONFIG_INVALID, directory + " cannot be written. Choose another directory.", e);
    }
    throw new IngestException(
        Code.CONFIG_INVALID,
        directory + " has the servers of a running program. Choose another directory.");
  }

  private static Process shell(Path directory, boolean temporary) throws IOException {
    String fate = temporary ? "temporary" : "kept";
    return new ProcessBuilder("sh", "-c", SCRIPT, "sh", directory.toString(), fate)
        .redirectOutput(Redirect.DISCARD)
        .redirectError(Redirect.DISCARD)
        .start();
  }

  /** Names the server that must not outlive this JVM. */
  void watch(long postmaster) {
    try {
      OutputStream input = shell.getOutputStream();
      input.write(Long.toString(postmaster).getBytes(US_ASCII));
      input.flush();
    } catch (IOException e) {
      throw new IngestException(
          Code.INTERNAL, "the shell that cleans up after the embedded servers has ended", e);
    }
  }

  @Override
  public void close() {
    try (lock) {
      shell.getOutputStream().close();
      shell.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS);
    } catch (IOException e) {
      throw new IngestException(Code.INTERNAL, "the files of the embedded servers stay behind", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
