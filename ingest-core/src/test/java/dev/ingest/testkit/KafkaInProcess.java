package dev.ingest.testkit;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.jspecify.annotations.Nullable;

/** Broker and controller inside this process. */
final class KafkaInProcess implements KafkaInstance {
  private final Properties properties = new Properties();
  private @Nullable KafkaRaftServer server;

  KafkaInProcess(int node, int port, int advertisedPort, Map<String, String> settings) {
    Path directory = Scratch.directory("kafka");
    properties.putAll(BrokerSettings.inProcess(node, port, advertisedPort, directory));
    properties.putAll(settings);
    format(node, directory);
  }

  /**
   * Kafka 4.3.1 upper-cases its own settings in the default locale and does not start in Turkish.
   */
  @Override
  public void start() {
    Locale locale = Locale.getDefault();
    Locale.setDefault(Locale.ROOT);
    try {
      KafkaRaftServer starting =
          new KafkaRaftServer(KafkaConfig.fromProps(properties), Time.SYSTEM);
      starting.startup();
      server = starting;
    } finally {
      Locale.setDefault(locale);
    }
  }

  @Override
  public void stop() {
    KafkaRaftServer running = Objects.requireNonNull(server);
    server = null;
    running.shutdown();
    running.awaitShutdown();
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
}
