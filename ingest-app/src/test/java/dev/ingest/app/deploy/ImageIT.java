package dev.ingest.app.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.app.deploy.ProductImage.Ended;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * The program's own image beside PostgreSQL and Kafka on a network of containers. Needs a container
 * engine, and runs with {@code -Pcontainers} only.
 */
class ImageIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String TOPIC = "events";
  private static final int PORTION = 5_000;

  private static final Map<String, String> SETTINGS =
      Map.of(
          "INGEST_SOURCE_TOPICS", TOPIC,
          "INGEST_KAFKA_BOOTSTRAP_SERVERS", "kafka:9092",
          "INGEST_KAFKA_SESSION_TIMEOUT_MS", "6000",
          "INGEST_KAFKA_HEARTBEAT_INTERVAL_MS", "1000",
          "INGEST_POSTGRES_URL", "jdbc:postgresql://postgres:5432/postgres",
          "INGEST_POSTGRES_USER", "postgres",
          "INGEST_POSTGRES_PASSWORD", "of-this-test");

  private static final Network NETWORK = Network.newNetwork();

  private static final GenericContainer<?> POSTGRES =
      new GenericContainer<>(DockerImageName.parse("postgres:18"))
          .withNetwork(NETWORK)
          .withNetworkAliases("postgres")
          .withEnv("POSTGRES_PASSWORD", "of-this-test")
          .withCommand("postgres", "-c", "max_locks_per_transaction=1200")
          .waitingFor(Wait.forLogMessage(".*ready to accept connections.*", 2));

  private static final GenericContainer<?> KAFKA =
      new GenericContainer<>(DockerImageName.parse("apache/kafka:4.3.1"))
          .withNetwork(NETWORK)
          .withNetworkAliases("kafka")
          .withEnv(broker())
          .waitingFor(Wait.forLogMessage(".*Kafka Server started.*", 1));

  private static ProductImage image;
  private static int sent;

  private static Map<String, String> broker() {
    Map<String, String> settings = new HashMap<>();
    settings.put("KAFKA_NODE_ID", "1");
    settings.put("KAFKA_PROCESS_ROLES", "broker,controller");
    settings.put("KAFKA_CONTROLLER_QUORUM_VOTERS", "1@localhost:9093");
    settings.put("KAFKA_LISTENERS", "PLAINTEXT://:9092,CONTROLLER://:9093");
    settings.put("KAFKA_ADVERTISED_LISTENERS", "PLAINTEXT://kafka:9092");
    settings.put(
        "KAFKA_LISTENER_SECURITY_PROTOCOL_MAP", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    settings.put("KAFKA_CONTROLLER_LISTENER_NAMES", "CONTROLLER");
    settings.put("KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR", "1");
    settings.put("KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS", "0");
    settings.put("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false");
    settings.put("KAFKA_HEAP_OPTS", "-Xmx320m");
    return settings;
  }

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    image = ProductImage.build("ingest:image-it-1");
    POSTGRES.start();
    KAFKA.start();
    assertThat(
            KAFKA
                .execInContainer(
                    "/opt/kafka/bin/kafka-topics.sh",
                    "--bootstrap-server",
                    "kafka:9092",
                    "--create",
                    "--topic",
                    TOPIC,
                    "--partitions",
                    "4")
                .getExitCode())
        .isZero();
  }

  @AfterAll
  static void stop() {
    KAFKA.stop();
    POSTGRES.stop();
    NETWORK.close();
  }

  @Test
  void aChangeOfTheCodeShipsLittle() {
    List<String> layers = image.layers();

    layers.forEach(System.out::println);
    List<Long> changing =
        layers.stream()
            .filter(layer -> layer.contains("/opt/ingest/app"))
            .map(layer -> Long.parseLong(layer.substring(0, layer.indexOf(' '))))
            .toList();
    assertThat(changing).as("layers of our own code").hasSize(2).allMatch(size -> size < 1_000_000);
    assertThat(layers.stream().filter(Pattern.compile("^[1-9]").asPredicate()).toList().get(0))
        .as("the last layer with files")
        .contains("/opt/ingest/app");
  }

  @Test
  void replicasLiveThroughAKillAnOutageAndARoll() throws Exception {
    ProductImage next = image.tagged("ingest:image-it-2");
    try (GenericContainer<?> first = image.replica(NETWORK, SETTINGS);
        GenericContainer<?> second = image.replica(NETWORK, SETTINGS);
        GenericContainer<?> firstAnew = next.replica(NETWORK, SETTINGS);
        GenericContainer<?> secondAnew = next.replica(NETWORK, SETTINGS)) {
      first.waitingFor(Wait.forHealthcheck()).start();
      second.waitingFor(Wait.forHealthcheck()).start();
      assertThat(first.execInContainer("id", "-u").getStdout().strip()).isEqualTo("10001");
      send();
      awaitRows();

      send();
      kill(first);
      awaitRows();

      POSTGRES.getDockerClient().stopContainerCmd(POSTGRES.getContainerId()).exec();
      send();
      await("not ready").atMost(PATIENCE).until(() -> status(second, "/readyz") == 503);
      assertThat(status(second, "/livez")).isEqualTo(200);
      POSTGRES.getDockerClient().startContainerCmd(POSTGRES.getContainerId()).exec();
      awaitRows();

      firstAnew.waitingFor(Wait.forHealthcheck()).start();
      send();
      assertThat(terminate(second)).isZero();
      secondAnew.waitingFor(Wait.forHealthcheck()).start();
      send();
      awaitRows();
      assertThat(terminate(firstAnew)).isZero();
      assertThat(terminate(secondAnew)).isZero();
    }

    Ended verify = next.command(NETWORK, SETTINGS, "", "verify", "--json");
    assertThat(verify.exitCode()).as(verify.output()).isZero();
    assertThat(verify.output()).contains("\"holds\" : true", "\"lag\" : 0");
  }

  /** Compressed, so that native code is unpacked in an image that is read-only. */
  private static void send() {
    String lines =
        IntStream.range(sent, sent + PORTION)
            .mapToObj(id -> "{\"id\":\"event-" + id + "\"}")
            .collect(Collectors.joining("\n"));
    Ended send =
        image.command(
            NETWORK,
            SETTINGS,
            lines,
            "send",
            "--topic",
            TOPIC,
            "--key",
            "/id",
            "--set",
            "ingest.kafka.compression.type=zstd");
    assertThat(send.exitCode()).as(send.output()).isZero();
    sent += PORTION;
  }

  private static void awaitRows() {
    await("rows")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(
            () ->
                assertThat(
                        POSTGRES
                            .execInContainer(
                                "psql",
                                "-U",
                                "postgres",
                                "-Atc",
                                "SELECT count(*) FROM ingest.event")
                            .getStdout()
                            .strip())
                    .isEqualTo(Integer.toString(sent)));
  }

  private static void kill(GenericContainer<?> replica) {
    DockerClientFactory.instance().client().killContainerCmd(replica.getContainerId()).exec();
  }

  /** SIGTERM, as an engine sends it, and the exit code. */
  private static long terminate(GenericContainer<?> replica) {
    var docker = replica.getDockerClient();
    docker.stopContainerCmd(replica.getContainerId()).withTimeout(35).exec();
    return docker.inspectContainerCmd(replica.getContainerId()).exec().getState().getExitCodeLong();
  }

  /** Of an answer to a request from inside: no port is open to this machine. */
  private static int status(GenericContainer<?> replica, String path)
      throws IOException, InterruptedException {
    String request =
        "exec 3<>/dev/tcp/127.0.0.1/8080; printf 'GET %s HTTP/1.0\\r\\n\\r\\n' >&3; read -r _ status _ <&3; echo $status"
            .formatted(path);
    return Integer.parseInt(replica.execInContainer("bash", "-c", request).getStdout().strip());
  }
}
