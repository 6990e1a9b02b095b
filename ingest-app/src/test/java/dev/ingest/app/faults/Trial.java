package dev.ingest.app.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.app.cli.Arguments;
import dev.ingest.app.cli.Command;
import dev.ingest.app.cli.Group;
import dev.ingest.app.cli.Program;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;

/**
 * A {@code run} process under a steady load, which lives through one fault after the other. Each
 * ends the same way: recovered within half a minute, nothing lost, doubled or parked, exact counts.
 * One thread.
 */
final class Trial implements AutoCloseable {
  /** From the end of a fault until all that was sent up to then is stored. */
  static final Duration RECOVERY = Duration.ofSeconds(30);

  private static final int PARTITIONS = 4;
  private static final int MOVING = Load.EVENTS_PER_SECOND / 2;

  private final TestDatabase database;
  private final TestTopics topics;
  private final Arguments arguments;
  private final String topic;
  private final Load load;
  private final Program program;
  private int toldBefore;

  /** Length of the output when all consumers had partitions. */
  private int toldAtStart;

  /** What befalls the servers; over when it returns. */
  interface Fault {
    void happen() throws Exception;
  }

  private Trial(
      TestDatabase database,
      TestTopics topics,
      String topic,
      UnaryOperator<Arguments> settings,
      long seed) {
    this.database = database;
    this.topics = topics;
    this.topic = topic;
    this.arguments = settings.apply(quick(Arguments.of(database, topics, topic)));
    this.load = new Load(topics, topic, PARTITIONS, seed);
    this.program = Program.start(96, arguments.of("run"));
  }

  /** Starts two consumers on four partitions; the settings may be changed before. */
  static Trial start(TestDatabase database, TestTopics topics, UnaryOperator<Arguments> settings) {
    long seed = ThreadLocalRandom.current().nextLong();
    System.out.println("seed=" + seed);
    Trial trial = new Trial(database, topics, topics.createTopic(PARTITIONS), settings, seed);
    await("partitions")
        .atMost(Duration.ofSeconds(90))
        .untilAsserted(
            () -> {
              assertThat(trial.program.isAlive()).as(trial.program.output()).isTrue();
              assertThat(trial.program.lines("partitions assigned")).isNotEmpty();
            });
    int consumers = Integer.parseInt(trial.arguments.settings().get("ingest.source.consumers"));
    new Group(topics, trial.topic).awaitMembers(consumers);
    trial.toldAtStart = trial.program.output().length();
    return trial;
  }

  /** Bounds that make a fault short, and a group that a busy machine does not upset. */
  private static Arguments quick(Arguments arguments) {
    Arguments quick = arguments;
    for (Map.Entry<String, String> setting :
        Map.of(
                "ingest.source.consumers", "2",
                "ingest.kafka.session.timeout.ms", "45000",
                "ingest.kafka.heartbeat.interval.ms", "1000",
                "ingest.lock.timeout", "1s",
                "ingest.postgres.statement-timeout", "2s",
                "ingest.postgres.socket-timeout", "4s",
                "ingest.postgres.connect-timeout", "2s",
                "ingest.postgres.idle-in-transaction-timeout", "3s")
            .entrySet()) {
      quick = quick.with(setting.getKey(), setting.getValue());
    }
    return quick;
  }

  Program program() {
    return program;
  }

  Load load() {
    return load;
  }

  Meters meters() throws Exception {
    return Meters.of(program);
  }

  /** The fault strikes under load; then the ending. */
  void survives(String name, Fault fault) throws Exception {
    toldBefore = program.output().length();
    load.go();
    awaitMoving();
    fault.happen();
    long back = System.nanoTime();
    awaitStored(load.keys());
    System.out.printf("recovered from %s: %d ms%n", name, (System.nanoTime() - back) / 1_000_000);
    load.halt();
    assertEnding();
  }

  /** What the process wrote since the load of this fault began, line by line. */
  List<String> told(String text) {
    return toldSince(toldBefore, text);
  }

  private List<String> toldSince(int begin, String text) {
    return program.output().substring(begin).lines().filter(line -> line.contains(text)).toList();
  }

  /** Waits until the process wrote that since the load of this fault began. */
  void awaitTold(String text) {
    await(text).atMost(RECOVERY).until(() -> !told(text).isEmpty());
  }

  /** One line when writing stood still, with this text, and one when it went on. */
  void assertToldOnce(String text) {
    assertThat(told("writing paused")).singleElement().asString().contains(text);
    assertThat(told("writing resumed")).hasSize(1);
  }

  /** Waits until rows come in at half the load's pace or better, counted from now. */
  void awaitMoving() {
    long from = rows();
    await("rows to come in").atMost(RECOVERY).until(() -> rows() >= from + MOVING);
  }

  private void awaitStored(long keys) {
    await("all rows up to the end of the fault")
        .atMost(RECOVERY)
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(() -> assertThat(rows()).as(story()).isGreaterThanOrEqualTo(keys));
  }

  private String story() {
    return program.output() + Sessions.describe(database);
  }

  private void assertEnding() throws Exception {
    new Group(topics, topic).awaitDone();
    assertThat(program.isAlive()).as(program.output()).isTrue();
    assertThat(rows()).as("one row for each key").isEqualTo(load.keys());
    assertThat(database.count("SELECT count(*) FROM ingest.parked")).as("parked").isZero();
    Meters meters = meters();
    meters.assertExact(load.keys());
    assertThat(meters.parked()).as("counted as parked").isZero();
    assertThat(meters.done()).as("events done").isGreaterThanOrEqualTo(load.records());
    if (keptItsPartitions()) {
      assertThat(meters.done()).as("events done").isEqualTo(load.records());
    }
    Sessions.assertClean(database);
    Command verify = Command.run(arguments.of("verify"));
    assertThat(verify.exitCode()).as(verify.out() + verify.err()).isZero();
  }

  /** Only what changes hands may be read twice. */
  boolean keptItsPartitions() {
    return toldSince(toldAtStart, "partitions revoked").isEmpty()
        && toldSince(toldAtStart, "partitions lost").isEmpty();
  }

  private long rows() {
    Sessions.assertNoOverflow(database);
    return database.count("SELECT count(*) FROM ingest.event");
  }

  /** The process must follow SIGTERM; what its sessions counted is known only then. */
  @Override
  public void close() {
    try (load;
        program) {
      program.terminate();
      assertThat(program.awaitExit()).as(program.output()).isZero();
      assertThat(database.deadlocks()).as("deadlocks").isZero();
    }
  }
}
