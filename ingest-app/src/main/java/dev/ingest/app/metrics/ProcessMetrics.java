package dev.ingest.app.metrics;

import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All meters of the process: the pipeline's, the JVM's, the pool's and a few of each Kafka client.
 * Thread-safe.
 */
public final class ProcessMetrics implements AutoCloseable {
  /** Of the hundred meters of a Kafka client those that tell what ours do not. */
  private static final Set<String> KAFKA =
      Set.of(
          "kafka.consumer.connection.count",
          "kafka.consumer.coordinator.rebalance.total",
          "kafka.consumer.coordinator.failed.rebalance.total",
          "kafka.consumer.coordinator.last.heartbeat.seconds.ago",
          "kafka.consumer.coordinator.commit.latency.avg",
          "kafka.consumer.fetch.manager.bytes.consumed.total",
          "kafka.consumer.fetch.manager.fetch.latency.avg",
          "kafka.consumer.fetch.manager.fetch.throttle.time.avg",
          "kafka.consumer.time.between.poll.max");

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  // guarded by this
  private @Nullable JvmMeters jvm;

  public ProcessMetrics() {
    registry.config().meterFilter(MeterFilter.deny(ProcessMetrics::isUnwanted));
  }

  private static boolean isUnwanted(Meter.Id id) {
    return id.getName().startsWith("kafka.") && !KAFKA.contains(id.getName());
  }

  /** Where the pipeline's meters go. */
  public MeterRegistry registry() {
    return registry;
  }

  /** Shows how the pool's connections are used. Once for each pool. */
  public void bind(HikariDataSource pool) {
    pool.setMetricRegistry(registry);
  }

  /** All meters in Prometheus' text form. Those of the JVM are there from the first call on. */
  public String scrape() {
    synchronized (this) {
      if (jvm == null) {
        jvm = new JvmMeters(registry);
      }
    }
    return registry.scrape();
  }

  @Override
  public synchronized void close() {
    if (jvm != null) {
      jvm.close();
    }
    registry.close();
  }
}
