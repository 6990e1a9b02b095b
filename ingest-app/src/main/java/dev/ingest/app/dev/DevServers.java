package dev.ingest.app.dev;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * PostgreSQL and Kafka, started side by side, for a try without installing either. Both end with
 * this JVM at the latest, also when it is killed. Immutable, thread-safe; {@code close} may be
 * called again.
 */
public final class DevServers implements AutoCloseable {
  private final EmbeddedPostgres postgres;
  private final EmbeddedKafka kafka;
  private final Path directory;
  private final Guardian guardian;

  private DevServers(
      EmbeddedPostgres postgres, EmbeddedKafka kafka, Path directory, Guardian guardian) {
    this.directory = directory;
    this.postgres = postgres;
    this.kafka = kafka;
    this.guardian = guardian;
  }

  /**
   * Starts both with files in a temporary directory, which goes with them.
   *
   * @throws IngestException when one of them does not start; nothing runs then. {@code
   *     CONFIG_INVALID} in a distribution, which has no servers
   */
  public static DevServers start() {
    try {
      return start(Files.createTempDirectory("ingest-dev-"), true);
    } catch (IOException e) {
      throw new IngestException(
          Code.INTERNAL,
          "no temporary directory. Set java.io.tmpdir to one that can be written.",
          e);
    }
  }

  /**
   * Starts both with files in this directory, which stay and are taken up by the next start.
   *
   * @throws IngestException when one of them does not start; nothing runs then
   */
  public static DevServers start(Path directory) {
    return start(directory.toAbsolutePath(), false);
  }

  public EmbeddedPostgres postgres() {
    return postgres;
  }

  public EmbeddedKafka kafka() {
    return kafka;
  }

  /** Where their files are. */
  public Path directory() {
    return directory;
  }

  /** Stops both, then removes a temporary directory. */
  @Override
  public void close() {
    try (guardian;
        postgres) {
      kafka.close();
    }
  }

  private static DevServers start(Path directory, boolean temporary) {
    requirePresent();
    Guardian guardian = Guardian.of(directory, temporary);
    CompletableFuture<EmbeddedKafka> kafka =
        inBackground(() -> EmbeddedKafka.start(directory.resolve("kafka")));
    CompletableFuture<EmbeddedPostgres> postgres =
        inBackground(() -> EmbeddedPostgres.start(directory.resolve("postgres")));
    try {
      guardian.watch(postgres.join().pid());
      return new DevServers(postgres.join(), kafka.join(), directory, guardian);
    } catch (CompletionException e) {
      closeWhatStarted(postgres, kafka);
      guardian.close();
      throw e.getCause() instanceof IngestException cause ? cause : e;
    }
  }

  private static void requirePresent() {
    if (DevServers.class.getResource("/kafka/server/KafkaRaftServer.class") == null) {
      throw new IngestException(
          Code.CONFIG_INVALID,
          "this distribution has no servers of its own. Run this command from the source tree: mvn"
              + " -q test-compile exec:exec -Dcommand=demo.");
    }
  }

  private static void closeWhatStarted(
      CompletableFuture<EmbeddedPostgres> postgres, CompletableFuture<EmbeddedKafka> kafka) {
    CompletableFuture.allOf(
            postgres.thenAccept(EmbeddedPostgres::close), kafka.thenAccept(EmbeddedKafka::close))
        .exceptionally(failure -> null)
        .join();
  }

  private static <T> CompletableFuture<T> inBackground(Supplier<T> start) {
    return CompletableFuture.supplyAsync(start, task -> new Thread(task, "dev-server").start());
  }
}
