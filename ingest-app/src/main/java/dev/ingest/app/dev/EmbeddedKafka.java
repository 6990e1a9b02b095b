package dev.ingest.app.dev;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.NumberFormat;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/**
 * A real Kafka broker, its own controller, in this process on free loopback ports. Topics are made
 * by hand only, records are kept for ever. Thread-safe; {@code close} may be called again.
 */
public final class EmbeddedKafka implements AutoCloseable {
  private static final int NODE = 1;
  private static final String CLUSTER = "ingest-embedded";

  private final KafkaRaftServer server;
  private final String bootstrap;

  private EmbeddedKafka(KafkaRaftServer server, String bootstrap) {
    this.server = server;
    this.bootstrap = bootstrap;
  }

  /**
   * Starts a broker with its files in the directory, with the topics of an earlier start if there
   * are any.
   *
   * @throws IngestException when it does not start
   */
  public static EmbeddedKafka start(Path directory) {
    leaveUnfitLocale();
    int port = freePort();
    try {
      Files.createDirectories(directory);
      format(directory);
      Map<String, String> settings = settings(port, freePort(), directory);
      KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(settings), Time.SYSTEM);
      startUp(server);
      return new EmbeddedKafka(server, "127.0.0.1:" + port);
    } catch (Exception e) {
      throw new IngestException(
          Code.KAFKA_UNAVAILABLE,
          "the embedded Kafka did not start in "
              + directory
              + " ("
              + e.getMessage()
              + "). Mend that, or use a broker of your own.",
          e);
    }
  }

  /** Address for clients. */
  public String bootstrap() {
    return bootstrap;
  }

  /** Orderly end; everything sent is on disk. The files stay. */
  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
  }

  /** A broker that fails to start leaves its controller running. */
  private static void startUp(KafkaRaftServer server) {
    try {
      server.startup();
    } catch (RuntimeException e) {
      server.shutdown();
      throw e;
    }
  }

  /**
   * Kafka 4.3.1 upper-cases names of its own and writes numbers into file names in the default
   * locale: in Turkish it does not start, with Arabic digits it loses its records at a restart.
   */
  private static void leaveUnfitLocale() {
    boolean fit =
        "i".toUpperCase(Locale.getDefault()).equals("I")
            && NumberFormat.getInstance().format(1).equals("1");
    if (!fit) {
      Locale.setDefault(Locale.ROOT);
    }
  }

  /** Does nothing to a directory that a broker has used before. */
  private static void format(Path directory) throws Exception {
    new Formatter()
        .setNodeId(NODE)
        .setClusterId(CLUSTER)
        .setControllerListenerName("CONTROLLER")
        .setMetadataLogDirectory(directory.toString())
        .addDirectory(directory.toString())
        .setIgnoreFormatted(true)
        .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, UTF_8))
        .run();
  }

  // One node: every internal topic has one replica. Threads and buffers fit a laptop.
  private static Map<String, String> settings(int port, int controllerPort, Path directory) {
    Map<String, String> settings = new HashMap<>();
    settings.put("node.id", Integer.toString(NODE));
    settings.put("process.roles", "broker,controller");
    settings.put(
        "listeners", "BROKER://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
    settings.put("listener.security.protocol.map", "BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT");
    settings.put("inter.broker.listener.name", "BROKER");
    settings.put("controller.listener.names", "CONTROLLER");
    settings.put("controller.quorum.voters", NODE + "@127.0.0.1:" + controllerPort);
    settings.put("log.dirs", directory.toString());
    settings.put("log.retention.ms", "-1");
    settings.put("log.cleaner.dedupe.buffer.size", "8388608");
    settings.put("auto.create.topics.enable", "false");
    settings.put("offsets.topic.replication.factor", "1");
    settings.put("offsets.topic.num.partitions", "4");
    settings.put("transaction.state.log.replication.factor", "1");
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("share.coordinator.state.topic.replication.factor", "1");
    settings.put("share.coordinator.state.topic.min.isr", "1");
    settings.put("group.initial.rebalance.delay.ms", "0");
    settings.put("num.io.threads", "4");
    return settings;
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new IngestException(Code.KAFKA_UNAVAILABLE, "no free port on the loopback", e);
    }
  }
}
