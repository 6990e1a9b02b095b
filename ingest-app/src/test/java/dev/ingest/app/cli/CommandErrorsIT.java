package dev.ingest.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.PostgresServer;
import dev.ingest.testkit.TcpProxy;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One clear line for each thing that users get wrong, the right exit code, or patience. */
class CommandErrorsIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  private static final String SECRET = "s3cret-of-the-test";

  @Test
  void wrongSettingsAndUnknownKeysAreAllToldInOneLineWithExitCodeTwo() {
    try (Program program =
        Program.start(
            "run",
            "--set",
            "ingest.batch.max-events=0",
            "--set",
            "ingest.lock.mod=none",
            "--set",
            "ingest.postgres.password=" + SECRET)) {
      assertThat(program.awaitExit()).isEqualTo(2);

      assertThat(program.output().lines())
          .singleElement()
          .asString()
          .startsWith("CONFIG_INVALID: 6 problems.")
          .contains("ingest.batch.max-events=0", "ingest.lock.mod is no setting")
          .contains("ingest.postgres.url is missing")
          .doesNotContain(SECRET);
    }
  }

  @Test
  void settingsThatTheKafkaClientRefusesEndWithExitCodeTwo(
      TestDatabase database, TestTopics topics) {
    String topic = topics.createTopic(1);
    Arguments arguments =
        migrated(Arguments.of(database, topics, topic))
            .with("ingest.kafka.fetch.max.wait.ms", "soon");
    TestDatabase empty = PostgresServer.shared().createDatabase();
    Arguments toMigrate =
        Arguments.of(empty, topics, topic).with("ingest.kafka.fetch.max.wait.ms", "soon");

    Command verify = Command.run(arguments.of("verify"));
    try (Program program = Program.start(toMigrate.of("run"))) {
      assertThat(program.awaitExit()).isEqualTo(2);
      assertThat(program.lines("CONFIG_INVALID"))
          .singleElement()
          .asString()
          .contains("fetch.max.wait.ms");
    }
    assertThat(empty.count("SELECT count(*) FROM pg_namespace WHERE nspname = 'ingest'")).isZero();

    assertThat(verify.exitCode()).isEqualTo(2);
    assertOneLine(verify.err(), "CONFIG_INVALID", "fetch.max.wait.ms");
  }

  @Test
  void missingTopicEndsWithExitCodeOne(TestDatabase database, TestTopics topics) {
    Arguments arguments = migrated(Arguments.of(database, topics, "no-such-topic"));

    Command verify = Command.run(arguments.of("verify"));
    try (Program program = Program.start(arguments.of("run"))) {
      assertThat(program.awaitExit()).isEqualTo(1);
      assertOneLine(program.output(), "TOPIC_MISSING", "no-such-topic");
    }

    assertThat(verify.exitCode()).isEqualTo(1);
    assertOneLine(verify.err(), "TOPIC_MISSING", "ingest.source.topics");
  }

  @Test
  void missingSchemaEndsWithExitCodeOneWhereItMayNotBeMade(TestTopics topics) {
    TestDatabase empty = PostgresServer.shared().createDatabase();
    Arguments arguments = Arguments.of(empty, topics, topics.createTopic(1));

    Command verify = Command.run(arguments.of("verify"));
    try (Program program = Program.start(arguments.of("run", "--no-migrate"))) {
      assertThat(program.awaitExit()).isEqualTo(1);
      assertOneLine(program.output(), "SCHEMA_MISSING", "run ingest migrate");
    }

    assertThat(verify.exitCode()).isEqualTo(1);
    assertOneLine(verify.err(), "TARGET_INVALID", "run ingest migrate");
    assertThat(empty.count("SELECT count(*) FROM pg_namespace WHERE nspname = 'ingest'")).isZero();
  }

  /** With a pattern nothing is asked of the broker first: only the process itself is waited for. */
  @Test
  void aPortThatIsTakenEndsWithExitCodeTwoBeforeTheSchemaIsMade(TestTopics topics)
      throws IOException {
    TestDatabase empty = PostgresServer.shared().createDatabase();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Arguments arguments =
          Arguments.of(empty, topics, topics.createTopic(1) + ".*")
              .with("ingest.source.group-id", "port")
              .with("ingest.http.host", "127.0.0.1")
              .with("ingest.http.port", Integer.toString(taken.getLocalPort()));

      try (Program program = Program.start(arguments.of("run"))) {
        assertThat(program.awaitExit()).isEqualTo(2);
        assertThat(program.lines("CONFIG_INVALID"))
            .singleElement()
            .asString()
            .contains("ingest.http.port=" + taken.getLocalPort());
      }
    }
    assertThat(empty.count("SELECT count(*) FROM pg_namespace WHERE nspname = 'ingest'")).isZero();
  }

  @Test
  void serversThatAreAwayAreWaitedFor(TestDatabase database, TestTopics topics) {
    String topic = topics.createTopic(1);
    int broker =
        Integer.parseInt(topics.bootstrap().substring(topics.bootstrap().indexOf(':') + 1));
    try (TcpProxy postgres = TcpProxy.to(database.server().port());
        TcpProxy kafka = TcpProxy.to(broker)) {
      postgres.refuse();
      kafka.refuse();
      Arguments arguments =
          Arguments.of(database, topics, topic)
              .with("ingest.postgres.url", database.url(postgres))
              .with("ingest.kafka.bootstrap.servers", "127.0.0.1:" + kafka.port());

      try (Program program = Program.start(arguments.of("run"))) {
        program.awaitLine("Waiting for it");
        assertOneLine(program.output(), "KAFKA_UNAVAILABLE", "127.0.0.1:" + kafka.port());
        kafka.accept();
        program.awaitLine("POSTGRES_UNAVAILABLE");
        assertOneLine(program.output(), "POSTGRES_UNAVAILABLE", "check ingest.postgres.url");
        postgres.accept();
        new Group(topics, topic).awaitMembers(1);

        assertThat(program.lines("goes on: tries=")).hasSize(2);
        program.terminate();
        assertThat(program.awaitExit()).isZero();
      }
    }
  }

  @Test
  void wrongPasswordIsWaitedForAndNeverShown(TestDatabase database, TestTopics topics) {
    String user = database.server().createUser("right-password");
    Arguments arguments =
        Arguments.of(database, topics, topics.createTopic(1))
            .with("ingest.postgres.user", user)
            .with("ingest.postgres.password", SECRET);

    Command verify = Command.run(arguments.of("verify"));
    try (Program program = Program.start(arguments.of("run"))) {
      program.awaitLine("Waiting for it");
      assertThat(program.isAlive()).isTrue();
      program.terminate();
      assertThat(program.awaitExit()).isZero();
      assertOneLine(program.output(), "28P01", "check ingest.postgres.user");
    }

    assertThat(verify.exitCode()).isEqualTo(1);
    assertOneLine(verify.err(), "28P01", "ingest.postgres");
  }

  @Test
  void databaseThatIsNotUtf8WorksAndWarnsOnce(TestTopics topics) {
    TestDatabase latin1 = PostgresServer.shared().createDatabase("LATIN1");
    String topic = topics.createTopic(1);
    Arguments arguments = Arguments.of(latin1, topics, topic);
    for (int i = 0; i < 20; i++) {
      topics.send(topic, 0, "clé-" + i, "{\"n\":" + i + "}");
    }
    topics.send(topic, 0, "鍵", "{}");

    try (Program program = Program.start(arguments.of("run"))) {
      new Group(topics, topic).awaitMembers(1);
      new Group(topics, topic).awaitDone();
      program.terminate();
      assertThat(program.awaitExit()).isZero();
      assertOneLine(program.output(), "server_encoding=LATIN1", "hashed by the server");
    }

    Command verify = Command.run(arguments.of("verify", "--json"));
    assertThat(verify.exitCode()).as(verify.out() + verify.err()).isZero();
    assertThat(latin1.count("SELECT count(*) FROM ingest.event")).isEqualTo(20);
    assertThat(latin1.count("SELECT count(*) FROM ingest.parked")).isEqualTo(1);
  }

  @Test
  void sendSaysWhatIsWrong(TestTopics topics) {
    String topic = topics.createTopic(1);

    assertSend(topics, 2, "key=id is no JSON pointer", "--topic", topic, "--key", "id");
    assertSend(topics, 2, "duplicates=100 is outside", "--topic", topic, "--duplicates", "100");
    assertSend(topics, 2, "file=absent.ndjson can't be read", "--topic", topic);
    assertSend(topics, 1, "topic=absent can't be reached", "--topic", "absent");
  }

  private static void assertSend(
      TestTopics topics, int exitCode, String message, String... arguments) {
    List<String> all = new ArrayList<>(List.of("send", "absent.ndjson"));
    all.addAll(List.of("--set", "ingest.kafka.bootstrap.servers=" + topics.bootstrap()));
    all.addAll(List.of("--set", "ingest.kafka.max.block.ms=500"));
    all.addAll(List.of(arguments));

    Command send = Command.run(all);

    assertThat(send.exitCode()).as(send.err()).isEqualTo(exitCode);
    assertThat(send.err().lines()).singleElement().asString().contains(message);
  }

  private static Arguments migrated(Arguments arguments) {
    Command migrate = Command.run(arguments.of("migrate"));
    assertThat(migrate.exitCode()).as(migrate.err()).isZero();
    return arguments;
  }

  private static void assertOneLine(String output, String... texts) {
    assertThat(output.lines().filter(line -> line.contains(texts[0])))
        .as(output)
        .singleElement()
        .asString()
        .contains(texts);
    assertThat(output).doesNotContain("\tat ", "Exception", SECRET);
  }
}
