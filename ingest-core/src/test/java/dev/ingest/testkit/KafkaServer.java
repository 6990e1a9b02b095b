package dev.ingest.testkit;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Kafka broker for tests. {@link #shared()} is the one of this JVM: the cluster at {@code
 * INGEST_TEST_KAFKA_BOOTSTRAP} if that is set, else one of our own, in this process or in a
 * container. {@link #dedicated} brokers belong to one test and can be stopped. Thread-safe but for
 * start and stop.
 */
public final class KafkaServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(KafkaServer.class);
  private static final String BOOTSTRAP_VARIABLE = "INGEST_TEST_KAFKA_BOOTSTRAP";
  private static final AtomicInteger NODES = new AtomicInteger();

  private final String bootstrap;
  private final @Nullable KafkaInstance instance;
  private boolean running;

  private KafkaServer(String bootstrap, @Nullable KafkaInstance instance) {
    this.bootstrap = bootstrap;
    this.instance = instance;
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
    int port = FreePort.find();
    return start(port, port, settings);
  }

  /** The same, reached by clients through this proxy only, which forwards to it from now on. */
  public static KafkaServer dedicatedBehind(TcpProxy proxy, Map<String, String> settings) {
    int port = FreePort.find();
    proxy.forwardTo(port);
    return start(port, proxy.port(), settings);
  }

  private static KafkaServer start(int port, int advertisedPort, Map<String, String> settings) {
    KafkaServer server =
        new KafkaServer(
            "127.0.0.1:" + advertisedPort,
            KafkaInstance.create(NODES.incrementAndGet(), port, advertisedPort, settings));
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
    if (instance == null || running) {
      throw new IllegalStateException("Kafka already runs at " + bootstrap);
    }
    long begin = System.nanoTime();
    instance.start();
    running = true;
    log.info(
        "Kafka started: bootstrap={} took={}ms",
        bootstrap,
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
  }

  /** Orderly end. Clients see a closed connection, then refused ones. */
  public void stop() {
    if (instance == null || !running) {
      throw new IllegalStateException("No broker of ours runs at " + bootstrap);
    }
    running = false;
    instance.stop();
  }

  /** Stops a dedicated broker if it runs. The shared one lives as long as the JVM. */
  @Override
  public void close() {
    if (running && this != Shared.SERVER) {
      stop();
    }
  }

  private static final class Shared {
    static final KafkaServer SERVER =
        Optional.ofNullable(System.getenv(BOOTSTRAP_VARIABLE))
            .map(bootstrap -> new KafkaServer(bootstrap, null))
            .orElseGet(() -> dedicated(Map.of()));
  }
}
