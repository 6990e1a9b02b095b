package dev.ingest.app.dev;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A real PostgreSQL 18 on a free loopback port, durable like one in production: fsync and
 * synchronous_commit are on. It trusts everyone who can reach the loopback. Thread-safe; {@code
 * close} may be called again.
 */
public final class EmbeddedPostgres implements AutoCloseable {
  /**
   * A batch of 3000 events takes 3000 advisory locks and those of the tables in one transaction,
   * which must stay below this setting. With 40 connections the lock table costs about 54 MB more
   * than at the defaults of 64 and 100 (resident memory after start, 18.4); it grows with them.
   */
  private static final int MAX_LOCKS_PER_TRANSACTION = 4096;

  /** The queue is measured with up to 64 workers. */
  private static final int MAX_CONNECTIONS = 80;

  private static final Duration START_DEADLINE = Duration.ofSeconds(60);

  private final io.zonky.test.db.postgres.embedded.EmbeddedPostgres server;
  private final long pid;

  private EmbeddedPostgres(io.zonky.test.db.postgres.embedded.EmbeddedPostgres server, long pid) {
    this.server = server;
    this.pid = pid;
  }

  /**
   * Starts a server with its files below the directory, with the databases of an earlier start if
   * there are any.
   *
   * @throws IngestException when it does not start; the message has the line in which the server
   *     says why
   */
  public static EmbeddedPostgres start(Path directory) {
    Path data = directory.resolve("data");
    Path output = directory.resolve("postgresql.log");
    try {
      Files.createDirectories(directory);
      io.zonky.test.db.postgres.embedded.EmbeddedPostgres server =
          builder(data, Redirect.appendTo(output.toFile())).start();
      String pid = Files.readAllLines(data.resolve("postmaster.pid")).get(0);
      return new EmbeddedPostgres(server, Long.parseLong(pid.strip()));
    } catch (IOException | RuntimeException e) {
      throw new IngestException(
          Code.POSTGRES_UNAVAILABLE,
          "the embedded PostgreSQL did not start in "
              + directory
              + " ("
              + complaint(output)
              + "). Mend that, or use a server of your own.",
          e);
    }
  }

  /** JDBC URL of the database {@code postgres}. */
  public String url() {
    return "jdbc:postgresql://127.0.0.1:" + port() + "/postgres";
  }

  public int port() {
    return server.getPort();
  }

  /** Process id of the postmaster. */
  long pid() {
    return pid;
  }

  /** The superuser. */
  public String user() {
    return "postgres";
  }

  /** Any password will do; this one is empty. */
  public String password() {
    return "";
  }

  /** Orderly end within some five seconds; open transactions are rolled back. The files stay. */
  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new IngestException(
          Code.INTERNAL, "the embedded PostgreSQL did not stop, port=" + port(), e);
    }
  }

  // zonky would turn fsync and synchronous_commit off, and initdb take a locale that the server may
  // lack.
  private static io.zonky.test.db.postgres.embedded.EmbeddedPostgres.Builder builder(
      Path data, Redirect output) {
    return io.zonky.test.db.postgres.embedded.EmbeddedPostgres.builder()
        .setDataDirectory(data)
        .setCleanDataDirectory(false)
        .setRegisterShutdownHook(false)
        .setPGStartupWait(START_DEADLINE)
        .setErrorRedirector(output)
        .setOutputRedirector(output)
        .setLocaleConfig("locale", "C")
        .setLocaleConfig("locale-provider", "builtin")
        .setLocaleConfig("builtin-locale", "C.UTF-8")
        .setServerConfig("fsync", "on")
        .setServerConfig("synchronous_commit", "on")
        .setServerConfig("max_locks_per_transaction", Integer.toString(MAX_LOCKS_PER_TRANSACTION))
        .setServerConfig("max_connections", Integer.toString(MAX_CONNECTIONS))
        .setServerConfig("listen_addresses", "127.0.0.1")
        .setServerConfig("unix_socket_directories", "''");
  }

  /** The last line that tells of a fault, else the last line. */
  private static String complaint(Path output) {
    try {
      List<String> lines = Files.readAllLines(output);
      return lines.stream()
          .filter(line -> line.contains("error:") || line.contains("FATAL:"))
          .reduce((earlier, later) -> later)
          .orElseGet(() -> lines.isEmpty() ? "it said nothing" : lines.get(lines.size() - 1));
    } catch (IOException e) {
      return "it said nothing";
    }
  }
}
