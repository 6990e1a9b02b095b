package dev.ingest.testkit;

import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.awaitility.Awaitility;

/** Broker and controller in a container. */
final class KafkaContainer implements KafkaInstance {
  private final LocalContainer container;
  private final String bootstrap;

  KafkaContainer(String image, int port, int advertisedPort, Map<String, String> settings) {
    Map<String, String> all = BrokerSettings.inContainer(port, advertisedPort);
    all.putAll(settings);
    Map<String, String> environment = new HashMap<>(Map.of("KAFKA_HEAP_OPTS", "-Xmx320m"));
    all.forEach((name, value) -> environment.put(variable(name), value));
    bootstrap = "127.0.0.1:" + advertisedPort;
    container = new LocalContainer(image, port, port, environment);
  }

  private static String variable(String setting) {
    return "KAFKA_" + setting.toUpperCase(Locale.ROOT).replace('.', '_');
  }

  @Override
  public void start() {
    container.start();
    Awaitility.await("Kafka at " + bootstrap)
        .atMost(Duration.ofSeconds(90))
        .pollInterval(Duration.ofMillis(200))
        .ignoreExceptions()
        .until(this::serves);
  }

  private boolean serves() throws Exception {
    try (Admin admin =
        Admin.create(
            Map.of(
                "bootstrap.servers",
                bootstrap,
                "default.api.timeout.ms",
                3000,
                "request.timeout.ms",
                3000))) {
      return !admin.describeCluster().nodes().get(5, TimeUnit.SECONDS).isEmpty();
    }
  }

  @Override
  public void stop() {
    container.stop();
  }
}
