package dev.ingest.app.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.app.cli.Arguments;
import dev.ingest.app.cli.Command;
import dev.ingest.app.cli.Group;
import dev.ingest.app.cli.Program;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nothing that the program writes or answers holds a secret, a key, a payload or a header. */
class LogsAreSilentIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  /** Events that {@link SilentRun#sendEvents} sends and the table refuses. */
  private static final int BAD = 13;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final TestDatabase database = POSTGRES.database();
  private final TestTopics topics = KAFKA.topics();
  private final Canaries canaries = new Canaries();
  private SilentRun scene;
  private Arguments arguments;

  @BeforeEach
  void prepare() {
    database.execute("DROP SCHEMA IF EXISTS ingest CASCADE");
    String role = database.server().createUser(Canaries.SECRET);
    database.execute("GRANT CREATE ON DATABASE " + database.name() + " TO " + role);
    scene = new SilentRun(database, topics, topics.createTopic(1));
    arguments = scene.arguments(role);
    command("migrate");
    scene.refuseInManyWays();
  }

  @AfterEach
  void listen() {
    canaries.assertSilent();
  }

  @Test
  void parkingThroughFaultsToTheEnd() throws Exception {
    try (Program run = Program.start(96, arguments.of("run"))) {
      scene.sendEvents();
      new Group(topics, scene.topic()).awaitDone();
      assertThat(database.count("SELECT count(*) FROM ingest.parked")).isEqualTo(BAD);
      lookAtHttp(run);

      database.sessions().forEach(pid -> database.execute("SELECT pg_terminate_backend(?)", pid));
      database.execute("ALTER TABLE ingest.event RENAME TO gone");
      topics.send(scene.topic(), 0, Canaries.KEY + "-while-gone", "{}");
      awaitPause(run, "42P01");
      database.execute("ALTER TABLE ingest.gone RENAME TO event");
      new Group(topics, scene.topic()).awaitDone();

      scene.sendRaising("53100"); // as a fault of the environment, whose message is shown
      awaitPause(run, "53100");
      database.execute("ALTER TABLE ingest.event DISABLE TRIGGER refuse");
      new Group(topics, scene.topic()).awaitDone();
      database.execute("ALTER TABLE ingest.event ENABLE TRIGGER refuse");

      scene.sendRaising("ZZ001"); // a state that nobody knows ends the process
      assertThat(run.awaitExit()).isEqualTo(1);
      canaries.look("log of run", run.output());
    }
    command("parked", "list");
    command("parked", "list", "--json");
    command("parked", "show");
    command("parked", "show", "--json");
    command("parked", "retry", "--dry-run");
    command("verify");
    command("config");
    command("config", "--json");
    command("locks");
    command("run", "--check");
    command("run", "--help");
    // Read again from the beginning by one who stops at the first bad event.
    arguments =
        arguments
            .with("ingest.errors.bad-event", "stop")
            .with("ingest.source.group-id", topics.uniqueName());
    assertThat(run("--log-format", "json")).isNotZero();
  }

  @Test
  void deadLettersThatSayWhyAndNotWhat() {
    String dead = topics.createTopic(1);
    arguments =
        arguments
            .with("ingest.errors.bad-event", "dead-letter")
            .with("ingest.errors.dead-letter-topic", dead);
    try (Program run = Program.start(96, arguments.of("run"))) {
      scene.sendEvents();
      new Group(topics, scene.topic()).awaitDone();
      run.terminate();
      assertThat(run.awaitExit()).isZero();
      canaries.look("log of run with dead letters", run.output());
    }
    List<ConsumerRecord<byte[], byte[]>> letters = read(dead);
    letters.forEach(this::lookAtHeaders);
  }

  private List<ConsumerRecord<byte[], byte[]>> read(String topic) {
    TopicPartition partition = new TopicPartition(topic, 0);
    List<ConsumerRecord<byte[], byte[]>> letters = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", topics.bootstrap()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      while (letters.size() < BAD) {
        letters.addAll(consumer.poll(Duration.ofSeconds(1)).records(partition));
      }
    }
    return letters;
  }

  private void awaitPause(Program run, String sqlState) throws Exception {
    await("the pause")
        .atMost(PATIENCE)
        .until(
            () -> !run.lines("writing paused: consumer=consumer-0 sqlstate=" + sqlState).isEmpty());
    lookAtHttp(run);
  }

  /** The letter holds key, value and own headers of its event, since it stands for it. */
  private void lookAtHeaders(ConsumerRecord<byte[], byte[]> letter) {
    for (Header header : letter.headers()) {
      if (!header.key().equals("trace")) {
        canaries.look(
            "headers of dead letters",
            header.key() + "=" + new String(header.value(), UTF_8) + "\n");
      }
    }
  }

  @Test
  void settingsThatAreRefused() {
    arguments = arguments.with("ingest.kafka.security.protocol", "SASL_PLAINTEXT");
    Arguments fine = arguments;
    for (Arguments each :
        List.of(
            fine.with("ingest.kafka.sasl.jaas.config", "no login " + Canaries.SECRET),
            fine.with("ingest.kafka.sasl.jaas.config", Canaries.SECRET + " required x=;"),
            fine.with("ingest.postgres.password-file", "/no/such/file"),
            fine.with("ingest.postgres.url", "jdbc:postgresql://h/d?password=" + Canaries.SECRET),
            fine.with("ingest.kafka.sasl.password", Canaries.SECRET),
            fine.with("ingest.postgres.passwort", Canaries.SECRET))) {
      arguments = each;
      assertThat(command("config") + run()).isPositive();
    }
  }

  private int run(String... more) {
    try (Program run = Program.start(96, arguments.of("run", more))) {
      int exitCode = run.awaitExit();
      canaries.look("log of run that ends", run.output());
      return exitCode;
    }
  }

  private int command(String command, String... more) {
    Command ran = Command.run(arguments.of(command, more));
    String name = command + " " + String.join(" ", more);
    canaries.look(name, ran.out() + ran.err() + " ".repeat(20));
    return ran.exitCode();
  }

  private void lookAtHttp(Program run) throws Exception {
    for (String path : List.of("/metrics", "/readyz", "/livez", "/", "/console/state")) {
      canaries.look(path, Meters.get(run, path) + " ".repeat(20));
    }
  }
}
