package dev.ingest.testkit;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Kafka broker for tests. {@link #shared()} is the one of this JVM: the cluster at {@code
 * INGEST_TEST_KAFKA_BOOTSTRAP} if that is set, else a broker and controller inside this process.
 * {@link #dedicated} brokers belong to one test and can be stopped. Thread-safe but for start and
 * stop.
 */
public final class KafkaServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(KafkaServer.class);
  private static final String BOOTSTRAP_VARIABLE = "INGEST_TEST_KAFKA_BOOTSTRAP";
  private static final AtomicInteger NODES = new AtomicInteger();

  private final String bootstrap;
  private final Map<String, String> settings;
  private @Nullable KafkaRaftServer server;

  private KafkaServer(String bootstrap, Map<String, String> settings) {
    this.bootstrap = bootstrap;
    this.settings = settings;
  }

  /**
   * The broker of this JVM, started by the first call. Fails when it cannot be had; tests are never
   * skipped for that.
   */
  public static KafkaServer shared() {
    return Shared.SERVER;
  }

  /**
   * A started broker of its own, with these broker settings over the defaults of the kit. Close it
   * at the end of the test.
   */
  public static KafkaServer dedicated(Map<String, String> settings) {
    Path directory = Scratch.directory("kafka");
    int node = NODES.incrementAndGet();
    int port = FreePort.find();
    Map<String, String> all = defaults(node, port, FreePort.find(), directory);
    all.putAll(settings);
    KafkaServer server = new KafkaServer("127.0.0.1:" + port, Map.copyOf(all));
    format(node, directory);
    server.start();
    return server;
  }

  /** Address for clients. */
  public String bootstrap() {
    return bootstrap;
  }

  /**
   * Starts a stopped broker again on the same port and data directory; returns when it serves
   * clients.
   */
  public void start() {
    if (server != null || settings.isEmpty()) {
      throw new IllegalStateException("Kafka already runs at " + bootstrap);
    }
    long begin = System.nanoTime();
    server = startUp();
    log.info(
        "Kafka started: bootstrap={} took={}ms",
        bootstrap,
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
  }

  /** Orderly end. Clients see a closed connection, then refused ones. */
  public void stop() {
    if (server == null) {
      throw new IllegalStateException("No broker of ours runs at " + bootstrap);
    }
    KafkaRaftServer running = server;
    server = null;
    running.shutdown();
    running.awaitShutdown();
  }

  /** Stops a dedicated broker if it runs. The shared one lives as long as the JVM. */
  @Override
  public void close() {
    if (server != null && this != Shared.SERVER) {
      stop();
    }
  }

  /**
   * Kafka 4.3.1 upper-cases its own settings in the default locale and does not start in Turkish.
   */
  private KafkaRaftServer startUp() {
    Locale locale = Locale.getDefault();
    Locale.setDefault(Locale.ROOT);
    try {
      KafkaRaftServer starting =
          new KafkaRaftServer(KafkaConfig.fromProps(properties()), Time.SYSTEM);
      starting.startup();
      return starting;
    } finally {
      Locale.setDefault(locale);
    }
  }

  private Properties properties() {
    Properties properties = new Properties();
    properties.putAll(settings);
    return properties;
  }

  private static void format(int node, Path directory) {
    try {
      new Formatter()
          .setNodeId(node)
          .setClusterId(Uuid.randomUuid().toString())
          .setControllerListenerName("CONTROLLER")
          .setMetadataLogDirectory(directory.toString())
          .addDirectory(directory.toString())
          .setPrintStream(
              new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
          .run();
    } catch (Exception e) {
      throw new IllegalStateException("Cannot format Kafka storage in " + directory, e);
    }
  }

  /**
   * Small threads, small buffers, quick heartbeats. Retention is off, since test records carry old
   * timestamps.
   */
  private static Map<String, String> defaults(
      int node, int port, int controllerPort, Path directory) {
    Map<String, String> settings = new HashMap<>();
    settings.put("node.id", Integer.toString(node));
    settings.put("process.roles", "broker,controller");
    settings.put(
        "listeners", "BROKER://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
    settings.put("advertised.listeners", "BROKER://127.0.0.1:" + port);
    settings.put("listener.security.protocol.map", "BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT");
    settings.put("inter.broker.listener.name", "BROKER");
    settings.put("controller.listener.names", "CONTROLLER");
    settings.put("controller.quorum.voters", node + "@127.0.0.1:" + controllerPort);
    settings.put("log.dirs", directory.toString());
    settings.put("log.retention.ms", "-1");
    settings.put("log.cleaner.dedupe.buffer.size", "2097152");
    settings.put("auto.create.topics.enable", "false");
    settings.put("offsets.topic.replication.factor", "1");
    settings.put("offsets.topic.num.partitions", "2");
    settings.put("transaction.state.log.replication.factor", "1");
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("transaction.state.log.num.partitions", "2");
    settings.put("share.coordinator.state.topic.replication.factor", "1");
    settings.put("share.coordinator.state.topic.min.isr", "1");
    settings.put("group.initial.rebalance.delay.ms", "0");
    settings.put("group.min.session.timeout.ms", "500");
    settings.put("group.consumer.min.session.timeout.ms", "500");
    settings.put("group.consumer.min.heartbeat.interval.ms", "100");
    settings.put("num.network.threads", "2");
    settings.put("num.io.threads", "2");
    settings.put("background.threads", "2");
    return settings;
  }

  private static final class Shared {
    static final KafkaServer SERVER =
        Optional.ofNullable(System.getenv(BOOTSTRAP_VARIABLE))
            .map(bootstrap -> new KafkaServer(bootstrap, Map.of()))
            .orElseGet(() -> dedicated(Map.of()));
  }
}
