package dev.ingest.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ingest.testkit.Earthquakes;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The main path as users have it: {@code send}, two {@code run} processes, {@code verify}. */
class TwoProcessesIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  private static final Duration GRACE = Duration.ofSeconds(30);

  @Test
  void eventsSentThreeTimesOverFourPartitionsAreStoredOnceByTwoProcesses(
      TestDatabase database, TestTopics topics, @TempDir Path directory) throws IOException {
    String topic = topics.createTopic(4);
    Arguments arguments = Arguments.of(database, topics, topic);
    Group group = new Group(topics, topic);
    Path file = Files.write(directory.resolve("quakes.ndjson"), shuffledThreeTimes(), UTF_8);

    try (Program first = Program.start(arguments.of("run"));
        Program second = Program.start(arguments.of("run"))) {
      group.awaitMembers(2);
      Command sent = send(topics, topic, file);
      group.awaitDone();
      first.terminate();
      second.terminate();

      assertThat(sent.exitCode()).as(sent.err()).isZero();
      assertThat(first.awaitExit(GRACE)).isZero();
      assertThat(second.awaitExit(GRACE)).isZero();
    }

    assertThat(rows(database, topic)).isEqualTo(1707);
    Command verify = Command.run(arguments.of("verify", "--json"));
    assertThat(verify.exitCode()).isZero();
    assertThat(verify.json().get("lag").asLong()).isZero();
    // Every event has its row, so the other 3,414 were duplicates.
    assertThat(stored(verify.json())).isEqualTo(5121);
    assertThat(database.deadlocks()).isZero();
  }

  @Test
  void sigtermInTheMiddleOfABatchStoresItCommitsItAndExitsZero(
      TestDatabase database, TestTopics topics) throws SQLException {
    String topic = topics.createTopic(1);
    Arguments arguments =
        Arguments.of(database, topics, topic)
            .with("ingest.postgres.application-name", "drained")
            .with("ingest.lock.timeout", "25s");
    try (Program program = Program.start(arguments.of("run"));
        Connection foreign = database.connect()) {
      new Group(topics, topic).awaitMembers(1);
      foreign.setAutoCommit(false);
      lock(foreign, "k1");
      topics.send(topic, 0, "k1", "{}");
      topics.send(topic, 0, "k2", "{}");
      await("the batch to wait for the lock")
          .atMost(GRACE)
          .until(() -> waitingFor(database, "drained") == 1);

      program.terminate();
      program.awaitLine("draining");
      foreign.commit();

      assertThat(program.awaitExit(GRACE)).isZero();
    }

    assertThat(rows(database, topic)).isPositive();
    assertThat(topics.committedOffsets(topic, topic).get(0)).isEqualTo(rows(database, topic));
  }

  private static List<String> shuffledThreeTimes() {
    long seed = ThreadLocalRandom.current().nextLong();
    System.out.println("seed=" + seed);
    List<String> lines = new ArrayList<>();
    for (int copy = 0; copy < 3; copy++) {
      Earthquakes.all().forEach(quake -> lines.add(quake.json()));
    }
    Collections.shuffle(lines, new Random(seed));
    return lines;
  }

  private static Command send(TestTopics topics, String topic, Path file) {
    return Command.run(
        "send",
        "--topic",
        topic,
        "--key",
        "/id",
        "--scatter",
        "--set",
        "ingest.kafka.bootstrap.servers=" + topics.bootstrap(),
        file.toString());
  }

  private static long stored(JsonNode report) {
    long stored = 0;
    for (JsonNode partition : report.get("partitions")) {
      stored += partition.get("counts").get("stored").asLong();
    }
    return stored;
  }

  private static void lock(Connection connection, String key) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_advisory_xact_lock(hashtext('" + key + "'))");
    }
  }

  private static long waitingFor(TestDatabase database, String application) {
    return database.count(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE application_name = ? AND wait_event_type = 'Lock' AND wait_event = 'advisory'\
        """,
        application);
  }

  private static long rows(TestDatabase database, String topic) {
    return database.count("SELECT count(*) FROM ingest.event WHERE topic = ?", topic);
  }
}
