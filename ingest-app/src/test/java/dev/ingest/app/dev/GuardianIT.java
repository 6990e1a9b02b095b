package dev.ingest.app.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ingest.event.IngestException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a process that only sleeps in the place of a server. */
class GuardianIT {
  @TempDir Path parent;
  private Path directory;
  private Process server;

  @BeforeEach
  void startServer() throws IOException {
    directory = Files.createDirectories(parent.resolve("servers"));
    server = new ProcessBuilder("sleep", "60").start();
  }

  @AfterEach
  void stopServer() {
    server.destroyForcibly();
  }

  @Test
  void serverAndTemporaryFilesEnd() throws IOException {
    pidFile(server.pid());
    try (Guardian guardian = Guardian.of(directory, true)) {
      guardian.watch(server.pid());
      assertThat(server.isAlive()).isTrue();
    }

    assertThat(server.onExit()).succeedsWithin(Duration.ofSeconds(10));
    assertThat(directory).doesNotExist();
  }

  @Test
  void givenFilesStay() throws IOException {
    pidFile(server.pid());
    try (Guardian guardian = Guardian.of(directory, false)) {
      guardian.watch(server.pid());
    }

    assertThat(server.onExit()).succeedsWithin(Duration.ofSeconds(10));
    assertThat(directory).isNotEmptyDirectory();
  }

  @Test
  void serverThatSomebodyElseStartedGoesOn() throws IOException {
    pidFile(server.pid());

    Guardian.of(directory, false).close();

    assertThat(server.isAlive()).isTrue();
  }

  @Test
  void directoryInUseIsRefusedUntilItIsFree() {
    try (Guardian first = Guardian.of(directory, false)) {
      first.watch(server.pid());

      assertThatThrownBy(() -> Guardian.of(directory, false))
          .isInstanceOf(IngestException.class)
          .hasMessageContaining("Choose another directory");
    }

    Guardian.of(directory, false).close();
  }

  @Test
  void processThatTookOverTheIdOfAnEndedServerGoesOn() {
    try (Guardian guardian = Guardian.of(directory, false)) {
      guardian.watch(server.pid());
    }

    assertThat(server.isAlive()).isTrue();
  }

  private void pidFile(long pid) throws IOException {
    Path data = Files.createDirectories(directory.resolve("postgres/data"));
    Files.writeString(data.resolve("postmaster.pid"), pid + "\n" + data + "\n");
  }
}
