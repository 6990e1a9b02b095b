package dev.ingest.testkit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One PostgreSQL server process on a fixed port and data directory, which it keeps over restarts.
 * One thread at a time.
 */
final class PostgresProcess implements PostgresInstance {
  private static final Logger log = LoggerFactory.getLogger(PostgresProcess.class);

  private final Path directory = Scratch.directory("postgres");
  private final Path data = directory.resolve("data");
  private final int port = FreePort.find();
  private final Map<String, String> settings;
  private @Nullable EmbeddedPostgres server;

  PostgresProcess(Map<String, String> settings) {
    this.settings = PostgresInstance.settings(settings);
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public String log() {
    try {
      return Files.readString(logFile());
    } catch (IOException e) {
      throw new UncheckedIOException("No server log at " + logFile(), e);
    }
  }

  private Path logFile() {
    return directory.resolve("log").resolve("postgresql.log");
  }

  @Override
  public void start() {
    if (server != null) {
      throw new IllegalStateException("PostgreSQL already runs on port " + port);
    }
    long begin = System.nanoTime();
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setDataDirectory(data)
            .setCleanDataDirectory(false)
            .setRegisterShutdownHook(false)
            .setPGStartupWait(Duration.ofSeconds(60))
            .setPort(port)
            .setErrorRedirector(ProcessBuilder.Redirect.DISCARD)
            .setOutputRedirector(ProcessBuilder.Redirect.DISCARD)
            .setLocaleConfig("locale", "C")
            .setLocaleConfig("locale-provider", "builtin")
            .setLocaleConfig("builtin-locale", "C.UTF-8");
    serverSettings().forEach((name, value) -> builder.setServerConfig(name, "'" + value + "'"));
    try {
      server = builder.start();
    } catch (IOException | RuntimeException e) {
      throw new IllegalStateException(
          "PostgreSQL did not start, port=" + port + " directory=" + data, e);
    }
    log.info(
        "PostgreSQL started: port={} pid={} took={}ms",
        port,
        pid(),
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
  }

  @Override
  public void stop() {
    ProcessHandle postmaster = postmaster();
    release();
    awaitEnd(postmaster); // zonky logs a failed stop and goes on
  }

  /** Returns when all are gone. */
  @Override
  public void kill9() {
    ProcessHandle postmaster = postmaster();
    List<ProcessHandle> family =
        Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
    family.forEach(ProcessHandle::destroyForcibly);
    family.forEach(PostgresProcess::awaitEnd);
    release();
  }

  @Override
  public boolean isRunning() {
    return server != null;
  }

  @Override
  public long pid() {
    try (Stream<String> lines = Files.lines(data.resolve("postmaster.pid"))) {
      return Long.parseLong(lines.findFirst().orElseThrow().strip());
    } catch (IOException e) {
      throw new UncheckedIOException("No postmaster.pid in " + data, e);
    }
  }

  private Path hbaFile() {
    try {
      return Files.writeString(
          directory.resolve("pg_hba.conf"), PostgresInstance.hostRules("127.0.0.1/32"));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write pg_hba.conf in " + directory, e);
    }
  }

  private ProcessHandle postmaster() {
    return ProcessHandle.of(pid())
        .orElseThrow(() -> new IllegalStateException("PostgreSQL does not run on port " + port));
  }

  private static void awaitEnd(ProcessHandle process) {
    process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
  }

  private void release() {
    EmbeddedPostgres running = server;
    if (running == null) {
      throw new IllegalStateException("PostgreSQL does not run on port " + port);
    }
    server = null;
    try {
      running.close();
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL did not stop, port=" + port, e);
    }
  }

  /** zonky turns fsync and synchronous_commit off, so every setting is given. */
  private Map<String, String> serverSettings() {
    Map<String, String> all =
        new TreeMap<>(
            Map.of(
                "listen_addresses",
                "127.0.0.1",
                "unix_socket_directories",
                "",
                "logging_collector",
                "on",
                "hba_file",
                hbaFile().toString(),
                "log_directory",
                logFile().getParent().toString(),
                "log_filename",
                logFile().getFileName().toString()));
    all.putAll(settings);
    return all;
  }
}
