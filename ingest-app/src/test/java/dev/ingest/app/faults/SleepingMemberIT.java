package dev.ingest.app.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.app.cli.Arguments;
import dev.ingest.app.cli.Command;
import dev.ingest.app.cli.Group;
import dev.ingest.app.cli.Program;
import dev.ingest.app.schema.Migrations;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Members of a group that are thrown out while they sleep, or come back under their old name. */
class SleepingMemberIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  private static final int PARTITIONS = 4;
  private static final int EVENTS = 4000;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String REBALANCES = "kafka_consumer_coordinator_rebalance_total{";

  private final TestDatabase database = POSTGRES.database();
  private final TestTopics topics = KAFKA.topics();
  private final String topic = topics.createTopic(PARTITIONS);
  private final Group group = new Group(topics, topic);

  @BeforeAll
  static void createSchema(TestDatabase database) {
    new Migrations(database.dataSource()).migrate();
  }

  @BeforeEach
  void emptyTables() {
    database.execute("TRUNCATE ingest.event, ingest.parked");
  }

  @Test
  void processThatSleptThroughItsSessionMovesNoOffsetBackAndCountsRight() throws Exception {
    Arguments arguments =
        Arguments.of(database, topics, topic).with("ingest.batch.max-events", "100");
    try (Program sleeper = Program.start(96, arguments.of("run"));
        Program other = Program.start(96, arguments.of("run"))) {
      group.awaitMembers(2);
      CompletableFuture<?> sending =
          CompletableFuture.runAsync(() -> topics.send(events(0, EVENTS)));
      await("rows").atMost(PATIENCE).until(() -> rows() > EVENTS / 10);
      sleeper.freeze();
      sending.join();
      topics.send(events(EVENTS / 2, EVENTS));
      group.awaitMembers(1);
      group.awaitDone();
      Map<Integer, Long> offsets = topics.committedOffsets(topic, topic);

      sleeper.thaw();
      group.awaitMembers(2);
      assertThat(topics.committedOffsets(topic, topic)).isEqualTo(offsets);
      topics.send(events(EVENTS, EVENTS + 500));
      group.awaitDone();

      assertThat(sleeper.lines("partitions lost")).isNotEmpty();
      assertCounts(sleeper, other);
      terminate(sleeper, other);
    }
    assertThat(rows()).isEqualTo(EVENTS + 500);
    assertThat(database.count("SELECT count(*) FROM ingest.parked")).isZero();
    Command verify = Command.run(arguments.of("verify"));
    assertThat(verify.exitCode()).as(verify.out() + verify.err()).isZero();
  }

  /** Each on its own, and both together to the row. */
  private void assertCounts(Program sleeper, Program other) {
    await("exact counts")
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              Meters slept = Meters.of(sleeper);
              Meters others = Meters.of(other);
              assertThat(slept.done()).isEqualTo(slept.polled());
              assertThat(others.done()).isEqualTo(others.polled());
              assertThat(slept.inserted() + others.inserted()).isEqualTo(rows());
            });
  }

  @Test
  void staticMembersThatRestartInTimeCauseNoRebalance() throws Exception {
    Arguments arguments =
        Arguments.of(database, topics, topic)
            .with("ingest.source.consumers", "2")
            .with("ingest.kafka.session.timeout.ms", "60000");
    Arguments first = arguments.with("ingest.kafka.group.instance.id", "first");
    Arguments second = arguments.with("ingest.kafka.group.instance.id", "second");
    try (Program stays = Program.start(96, first.of("run"));
        Program before = Program.start(96, second.of("run"))) {
      group.awaitMembers(4);
      topics.send(events(0, 100));
      group.awaitDone();
      double rebalances = rebalances(stays);
      int revoked = stays.lines("partitions revoked").size(); // while the group came together
      terminate(before);

      try (Program after = Program.start(96, second.of("run"))) {
        topics.send(events(100, 200));
        group.awaitDone();
        assertThat(after.lines("partitions assigned")).hasSize(2);
        assertThat(rebalances(stays)).isEqualTo(rebalances);
        assertThat(stays.lines("partitions revoked")).hasSize(revoked);
        terminate(after);
      }
      terminate(stays);
    }
    assertThat(rows()).isEqualTo(200);
  }

  private static double rebalances(Program program) throws Exception {
    return Meters.of(program).lines().stream()
        .filter(line -> line.startsWith(REBALANCES))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  private static void terminate(Program... programs) {
    for (Program program : programs) {
      program.terminate();
      assertThat(program.awaitExit()).as(program.output()).isZero();
    }
  }

  private long rows() {
    return database.count("SELECT count(*) FROM ingest.event");
  }

  private List<ProducerRecord<byte[], byte[]>> events(int from, int until) {
    return IntStream.range(from, until)
        .mapToObj(
            i ->
                new ProducerRecord<>(
                    topic, i % PARTITIONS, ("key-" + i).getBytes(UTF_8), "{}".getBytes(UTF_8)))
        .toList();
  }
}
