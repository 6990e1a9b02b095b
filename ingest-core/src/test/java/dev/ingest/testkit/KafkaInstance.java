package dev.ingest.testkit;

import java.util.Map;

/**
 * One Kafka broker of our own, in this process or in a container, on a port and with data that it
 * keeps over restarts. One thread at a time.
 */
interface KafkaInstance {
  /**
   * A broker that is not started yet, where {@link ServerImages} says.
   *
   * @param node a number no other broker of this JVM has
   * @param port that it listens on, on the loopback
   * @param advertisedPort that clients are sent to, on the loopback
   */
  static KafkaInstance create(
      int node, int port, int advertisedPort, Map<String, String> settings) {
    return ServerImages.kafka()
        .<KafkaInstance>map(image -> new KafkaContainer(image, port, advertisedPort, settings))
        .orElseGet(() -> new KafkaInProcess(node, port, advertisedPort, settings));
  }

  /** Returns when it serves clients. */
  void start();

  /** Orderly end. */
  void stop();
}
