package dev.ingest.app.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.app.cli.Arguments;
import dev.ingest.app.cli.Command;
import dev.ingest.app.cli.Group;
import dev.ingest.app.config.Concern;
import dev.ingest.app.config.Config;
import dev.ingest.app.config.SettingSources;
import dev.ingest.app.run.Counts;
import dev.ingest.app.run.IngestProcess;
import dev.ingest.app.schema.Migrations;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Consumers that come and go all the time, with both group protocols (I1, I6). */
class MembershipIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  private static final int PARTITIONS = 6;
  private static final int CHANGES = 12;
  private static final int MEMBERS_AT_MOST = 4;

  private final TestDatabase database = POSTGRES.database();
  private final TestTopics topics = KAFKA.topics();
  private final Counts counts = new Counts(); // of all members there ever were
  private final Deque<IngestProcess> members = new ArrayDeque<>();

  @BeforeAll
  static void createSchema(TestDatabase database) {
    new Migrations(database.dataSource()).migrate();
  }

  @BeforeEach
  void emptyTables() {
    database.execute("TRUNCATE ingest.event, ingest.parked");
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void membersJoinAndLeaveEverySecond(String protocol) throws Exception {
    long seed = ThreadLocalRandom.current().nextLong();
    System.out.println("seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    String topic = topics.createTopic(PARTITIONS);
    Arguments arguments = arguments(topic, protocol);
    try (Load load = new Load(topics, topic, PARTITIONS, seed)) {
      join(arguments);
      load.go();
      for (int i = 0; i < CHANGES; i++) {
        Pause.of(Duration.ofMillis(500 + random.nextInt(1000)));
        if (members.size() == 1 || (members.size() < MEMBERS_AT_MOST && random.nextBoolean())) {
          join(arguments);
        } else {
          members.removeFirst().close();
        }
      }
      load.halt();
      new Group(topics, topic).awaitDone();

      members.forEach(member -> assertThat(member.hasFailed()).isFalse());
      members.forEach(IngestProcess::close);
      assertEnding(load);
    }
    Command verify = Command.run(arguments.of("verify"));
    assertThat(verify.exitCode()).as(verify.out() + verify.err()).isZero();
  }

  private Arguments arguments(String topic, String protocol) {
    Arguments arguments =
        Arguments.of(database, topics, topic).with("ingest.kafka.group.protocol", protocol);
    return protocol.equals("classic")
        ? arguments
        : arguments
            .without("ingest.kafka.session.timeout.ms")
            .without("ingest.kafka.heartbeat.interval.ms");
  }

  private void join(Arguments arguments) {
    IngestProcess member =
        IngestProcess.create(
            Config.load(SettingSources.only(arguments.assignments()), EnumSet.allOf(Concern.class)),
            counts);
    member.start();
    members.addLast(member);
  }

  private void assertEnding(Load load) {
    Counts.Snapshot sum = counts.snapshot();
    assertThat(sum.done()).as(sum.toString()).isEqualTo(sum.polled());
    assertThat(sum.inserted()).isEqualTo(load.keys());
    assertThat(sum.done()).isGreaterThanOrEqualTo(load.records());
    assertThat(database.count("SELECT count(*) FROM ingest.event")).isEqualTo(load.keys());
    assertThat(database.count("SELECT count(*) FROM ingest.parked")).isZero();
    Sessions.assertClean(database);
    assertThat(database.deadlocks()).isZero();
  }
}
