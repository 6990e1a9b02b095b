package dev.ingest.testkit;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Settings of a broker that is its own controller, serves one JVM and starts fast. */
final class BrokerSettings {
  private BrokerSettings() {}

  /** For {@link KafkaInProcess}, where nothing but the loopback is listened on. */
  static Map<String, String> inProcess(int node, int port, int advertisedPort, Path directory) {
    int controllerPort = FreePort.find();
    Map<String, String> settings = common();
    settings.put("node.id", Integer.toString(node));
    settings.put(
        "listeners", "BROKER://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
    settings.put("advertised.listeners", "BROKER://127.0.0.1:" + advertisedPort);
    settings.put("listener.security.protocol.map", "BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT");
    settings.put("inter.broker.listener.name", "BROKER");
    settings.put("controller.quorum.voters", node + "@127.0.0.1:" + controllerPort);
    settings.put("log.dirs", directory.toString());
    return settings;
  }

  /** For {@link KafkaContainer}: a listener for clients and one for the broker's own requests. */
  static Map<String, String> inContainer(int port, int advertisedPort) {
    Map<String, String> settings = common();
    settings.put("node.id", "1");
    settings.put(
        "listeners",
        "BROKER://0.0.0.0:" + port + ",INSIDE://127.0.0.1:19092,CONTROLLER://127.0.0.1:19093");
    settings.put(
        "advertised.listeners",
        "BROKER://127.0.0.1:" + advertisedPort + ",INSIDE://127.0.0.1:19092");
    settings.put(
        "listener.security.protocol.map", "BROKER:PLAINTEXT,INSIDE:PLAINTEXT,CONTROLLER:PLAINTEXT");
    settings.put("inter.broker.listener.name", "INSIDE");
    settings.put("controller.quorum.voters", "1@127.0.0.1:19093");
    settings.put("log.dirs", "/var/lib/kafka/data");
    return settings;
  }

  /**
   * Small threads, small buffers, quick heartbeats. Retention is off, since test records carry old
   * timestamps.
   */
  private static Map<String, String> common() {
    Map<String, String> settings = new HashMap<>();
    settings.put("process.roles", "broker,controller");
    settings.put("controller.listener.names", "CONTROLLER");
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
    settings.put("group.consumer.heartbeat.interval.ms", "500");
    settings.put("num.network.threads", "2");
    settings.put("num.io.threads", "2");
    settings.put("background.threads", "2");
    return settings;
  }
}
