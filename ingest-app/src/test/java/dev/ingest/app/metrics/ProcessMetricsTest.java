package dev.ingest.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.app.jobs.JobMeters;
import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.IngestEvents;
import dev.ingest.pipeline.IngestMeter;
import dev.ingest.pipeline.IngestMeters;
import dev.ingest.testkit.ConsumersMeters;
import io.micrometer.core.instrument.Gauge;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProcessMetricsTest {
  private final ProcessMetrics metrics = new ProcessMetrics();
  private final IngestEvents consumer = new IngestMeters(metrics.registry()).forConsumer();

  @AfterEach
  void close() {
    metrics.close();
  }

  @Test
  void everyMeterHasItsPrometheusNameAndHelp() {
    consumer.assigned(List.of(new TopicPartition("orders", 0)));
    consumer.lag(Map.of(new TopicPartition("orders", 0), 3L));
    consumer.polled("orders", "orders", 1);

    Map<String, String> helps =
        metrics
            .scrape()
            .lines()
            .filter(line -> line.startsWith("# HELP ingest_"))
            .map(line -> line.substring("# HELP ".length()).split(" ", 2))
            .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));

    Map<String, String> defined =
        ConsumersMeters.all().stream()
            .collect(Collectors.toMap(IngestMeter::prometheusName, IngestMeter::help));
    helps.keySet().removeIf(name -> name.endsWith("_max"));
    assertThat(helps).isEqualTo(defined);
  }

  @Test
  void durationsAreSecondsInBuckets() {
    consumer.offsetsCommitted(Map.of(), Duration.ofMillis(7));

    assertThat(metrics.scrape().lines())
        .contains(
            "ingest_batch_duration_seconds_bucket{phase=\"offsets\",le=\"0.005\"} 0",
            "ingest_batch_duration_seconds_bucket{phase=\"offsets\",le=\"0.01\"} 1",
            "ingest_batch_duration_seconds_sum{phase=\"offsets\"} 0.007");
  }

  @Test
  void gaugesOfTimeAreSeconds() {
    new JobMeters(metrics.registry()).expect("mail");

    assertThat(metrics.scrape().lines()).contains("ingest_jobs_oldest_seconds{queue=\"mail\"} 0.0");
  }

  @Test
  void theJvmIsMeasured() {
    assertThat(metrics.scrape())
        .contains("jvm_memory_used_bytes", "process_uptime_seconds", "jvm_gc_");
  }

  @Test
  void fewOfTheKafkaClientsMetersAreShown() {
    for (String name :
        Set.of("kafka.consumer.connection.count", "kafka.consumer.request.size.avg")) {
      Gauge.builder(name, () -> 1).register(metrics.registry());
    }

    assertThat(metrics.scrape())
        .contains("kafka_consumer_connection_count")
        .doesNotContain("request_size");
  }
}
