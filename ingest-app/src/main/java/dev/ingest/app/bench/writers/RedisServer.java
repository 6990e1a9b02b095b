package dev.ingest.app.bench.writers;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.app.bench.ProcessCpu;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The system's {@code redis-server} on a free loopback port, without files: it writes nothing to
 * disk, which is the fastest that it can be. Thread-safe.
 */
public final class RedisServer implements AutoCloseable {
  private final Process process;
  private final int port;

  private RedisServer(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * @return empty where the system has no {@code redis-server}
   */
  public static Optional<RedisServer> start() {
    try {
      int port = freePort();
      Process process =
          new ProcessBuilder(
                  List.of(
                      "redis-server",
                      "--bind",
                      "127.0.0.1",
                      "--port",
                      Integer.toString(port),
                      "--save",
                      "",
                      "--appendonly",
                      "no"))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      RedisServer server = new RedisServer(process, port);
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
      server.awaitAnswer();
      return Optional.of(server);
    } catch (IOException absent) {
      return Optional.empty();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }

  private void awaitAnswer() {
    for (int i = 0; i < 200; i++) {
      try (RedisClient client = new RedisClient(port)) {
        client.all(List.of(List.of("PING")));
        return;
      } catch (UncheckedIOException notYet) {
        pause();
      }
    }
    close();
    throw new IngestException(Code.INTERNAL, "redis-server does not answer on port=" + port + ".");
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(25);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IngestException(Code.INTERNAL, "interrupted", stopped);
    }
  }

  /** As the program tells it. */
  public String version() {
    try {
      Process asked = new ProcessBuilder("redis-server", "--version").start();
      return new String(asked.getInputStream().readAllBytes(), UTF_8)
          .replaceAll("(?s).* v=(\\S+).*", "$1");
    } catch (IOException gone) {
      return "unknown";
    }
  }

  public RedisClient connect() {
    return new RedisClient(port);
  }

  /** Processor time of the server so far. */
  public double cpuSeconds() {
    return ProcessCpu.ofProcess(process.pid());
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
