package dev.ingest.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScratchIT {
  @Test
  void killedJvmLeavesNoServerAndNoFile() throws IOException {
    Process child = startChild();
    try {
      String[] report = report(child);
      ProcessHandle postmaster = ProcessHandle.of(Long.parseLong(report[1])).orElseThrow();
      Path directory = Path.of(report[2]);
      assertThat(postmaster.isAlive()).isTrue();
      assertThat(directory).isDirectory();

      child.destroyForcibly();

      await().atMost(Duration.ofSeconds(15)).until(() -> !postmaster.isAlive());
      await().atMost(Duration.ofSeconds(15)).until(() -> Files.notExists(directory.getParent()));
    } finally {
      child.destroyForcibly();
    }
  }

  private static Process startChild() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            Child.class.getName())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** The one line that is no log line. */
  private static String[] report(Process child) {
    return child
        .inputReader()
        .lines()
        .filter(line -> line.startsWith("report "))
        .findFirst()
        .orElseThrow()
        .split(" ");
  }

  /** A JVM that has a server and never ends on its own. */
  static final class Child {
    public static void main(String[] arguments) throws InterruptedException {
      PostgresServer server = PostgresServer.dedicated(Map.of());
      System.out.println("report " + server.pid() + " " + Scratch.directory("probe"));
      Thread.currentThread().join();
    }
  }
}
