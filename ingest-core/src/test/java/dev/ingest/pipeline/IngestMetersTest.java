package dev.ingest.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.WriteOutcome.Applied;
import dev.ingest.pipeline.WriteOutcome.Phases;
import dev.ingest.plan.Batch;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.KeyReader;
import dev.ingest.plan.LockScheme;
import dev.ingest.plan.RejectedEvent;
import dev.ingest.testkit.ConsumersMeters;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class IngestMetersTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final TopicPartition ORDERS_0 = new TopicPartition("orders", 0);
  private static final TopicPartition ORDERS_1 = new TopicPartition("orders", 1);
  private static final Phases PHASES =
      new Phases(Duration.ofMillis(2), Duration.ofMillis(5), Duration.ofMillis(1));

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final IngestMeters meters = new IngestMeters(registry);
  private final IngestEvents consumer = meters.forConsumer();

  @Test
  void everyMeterIsRegisteredWithTheTagsItIsDefinedWith() {
    consumer.polled("default", "orders", 0);
    consumer.lag(Map.of(ORDERS_0, 7L));

    Map<String, Set<String>> registered =
        registry.getMeters().stream()
            .map(Meter::getId)
            .collect(
                Collectors.toMap(
                    Meter.Id::getName,
                    id -> id.getTags().stream().map(Tag::getKey).collect(Collectors.toSet()),
                    (one, other) -> {
                      assertThat(one).isEqualTo(other);
                      return one;
                    }));

    Map<String, Set<String>> defined =
        ConsumersMeters.all().stream()
            .collect(Collectors.toMap(IngestMeter::meterName, meter -> Set.copyOf(meter.tags())));
    registered.keySet().removeIf(name -> name.endsWith(".histogram"));
    assertThat(registered).isEqualTo(defined);
  }

  @Test
  void polledLessReleasedIsTheSumOfOutcomesForEachTopic() {
    consumer.polled("default", "orders", 100);
    consumer.polled("default", "payments", 7);
    consumer.released("default", "orders", 9);
    consumer.applied(chunk("orders"), new Applied(56, 20, 3, 4, PHASES), NOW);
    consumer.deadLettered("default", "orders", 2);
    consumer.skipped("default", "orders", 6);
    consumer.applied(chunk("payments"), new Applied(7, 0, 0, PHASES), NOW);

    assertThat(events("orders", "inserted")).isEqualTo(56);
    assertThat(events("orders", "deleted")).isEqualTo(4);
    assertThat(events("orders", "duplicate")).isEqualTo(20);
    assertThat(events("orders", "parked")).isEqualTo(5);
    assertThat(events("orders", "skipped")).isEqualTo(6);
    for (String topic : List.of("orders", "payments")) {
      double done =
          registry.get("ingest.events").tag("topic", topic).counters().stream()
              .mapToDouble(counter -> counter.count())
              .sum();
      assertThat(count("ingest.events.polled", topic) - count("ingest.events.released", topic))
          .isEqualTo(done);
    }
  }

  @Test
  void deadLettersCountAsParked() {
    Chunk chunk = chunk("orders");
    Event event = chunk.groups().get(0).first();

    BadEvents.deadLetter(new Kept(), consumer)
        .handle(chunk, List.of(RejectedEvent.unreadable(event, "no")), NOW);

    assertThat(events("orders", "parked")).isEqualTo(1);
  }

  @Test
  void countersOfATopicStartAtZeroWithItsAssignment() {
    consumer.polled("default", "orders", 0);

    assertThat(events("orders", "parked")).isZero();
    assertThat(registry.get("ingest.retries").tag("sqlstate", "40P01").counter().count()).isZero();
  }

  @Test
  void latencyRunsFromTheRecordsTimestampAndIsNeverNegative() {
    long now = NOW.toEpochMilli();
    Chunk chunk =
        chunk("orders", now - 40, now - 10, now + 5_000 /* a clock ahead of ours */, -1 /* none */);

    consumer.applied(chunk, new Applied(4, 0, 0, PHASES), NOW);

    var latency = registry.get("ingest.event.latency").timer();
    assertThat(latency.count()).isEqualTo(3);
    assertThat(latency.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(50, within(0.001));
    assertThat(latency.max(TimeUnit.MILLISECONDS)).isEqualTo(40, within(0.001));
  }

  @Test
  void eachPhaseIsTimed() {
    consumer.applied(chunk("orders"), new Applied(1, 0, 0, PHASES), NOW);
    consumer.offsetsCommitted(Map.of(ORDERS_0, 1L), Duration.ofMillis(3));
    consumer.batchDone(17, Duration.ofMillis(20));

    assertThat(phase("lock")).isEqualTo(2, within(0.001));
    assertThat(phase("insert")).isEqualTo(5, within(0.001));
    assertThat(phase("commit")).isEqualTo(1, within(0.001));
    assertThat(phase("offsets")).isEqualTo(3, within(0.001));
    assertThat(registry.get("ingest.lock.wait").timer().totalTime(TimeUnit.MILLISECONDS))
        .isEqualTo(2, within(0.001));
    assertThat(registry.get("ingest.batch.events").summary().totalAmount()).isEqualTo(17);
  }

  @Test
  void aChunkWithoutTransactionIsNotTimed() {
    consumer.applied(chunk("orders"), new Applied(0, 0, 0, Phases.NONE), NOW);

    assertThat(registry.get("ingest.lock.wait").timer().count()).isZero();
  }

  @Test
  void lagLeavesWithItsPartitionAndComesBackWithIt() {
    consumer.lag(Map.of(ORDERS_0, 5L, ORDERS_1, 8L));
    assertThat(lags()).containsExactlyInAnyOrderEntriesOf(Map.of("0", 5.0, "1", 8.0));

    consumer.revoked(List.of(ORDERS_0), true);
    assertThat(lags()).containsExactlyInAnyOrderEntriesOf(Map.of("1", 8.0));

    consumer.lost(List.of(ORDERS_1));
    assertThat(lags()).isEmpty();

    consumer.lag(Map.of(ORDERS_0, 0L));
    assertThat(lags()).containsExactlyInAnyOrderEntriesOf(Map.of("0", 0.0));
  }

  @Test
  void lagIsNotDoubledWhenAPartitionMovesBetweenConsumersOfOneProcess() {
    IngestEvents other = meters.forConsumer();
    consumer.lag(Map.of(ORDERS_0, 5L));
    consumer.revoked(List.of(ORDERS_0), true);
    other.lag(Map.of(ORDERS_0, 3L));

    assertThat(registry.get("ingest.lag").gauges()).hasSize(1);
    assertThat(lags()).containsEntry("0", 3.0);
  }

  @Test
  void lagSurvivesGarbageCollection() {
    consumer.lag(Map.of(ORDERS_0, 5L));
    System.gc();

    assertThat(lags()).containsEntry("0", 5.0);
  }

  @Test
  void pausedCountsEachConsumerOnceUntilItGoesOnOrFails() {
    IngestEvents other = meters.forConsumer();
    StoreFault fault = new StoreFault(FaultKind.ENVIRONMENT, "53100", "disk full", null);

    consumer.paused(fault);
    consumer.paused(fault);
    other.paused(fault);
    assertThat(gauge("ingest.paused")).isEqualTo(2);

    consumer.resumed(Duration.ofSeconds(1));
    assertThat(gauge("ingest.paused")).isEqualTo(1);

    other.failed(new IllegalStateException());
    assertThat(gauge("ingest.paused")).isZero();
    assertThat(gauge("ingest.failed")).isEqualTo(1);
  }

  @Test
  void retriesAreCountedBySqlState() {
    consumer.retrying(fault("40P01"), 1, Duration.ofMillis(20));
    consumer.retrying(fault("40P01"), 2, Duration.ofMillis(40));
    consumer.retrying(fault(null), 3, Duration.ofMillis(80));

    assertThat(registry.get("ingest.retries").tag("sqlstate", "40P01").counter().count())
        .isEqualTo(2);
    assertThat(registry.get("ingest.retries").tag("sqlstate", "none").counter().count())
        .isEqualTo(1);
  }

  private static StoreFault fault(String sqlState) {
    return new StoreFault(FaultKind.TRANSIENT, sqlState, "deadlock detected", null);
  }

  private double events(String topic, String outcome) {
    return registry
        .get("ingest.events")
        .tag("topic", topic)
        .tag("outcome", outcome)
        .counter()
        .count();
  }

  private double count(String meter, String topic) {
    return registry.get(meter).tag("topic", topic).counter().count();
  }

  private double phase(String phase) {
    return registry
        .get("ingest.batch.duration")
        .tag("phase", phase)
        .timer()
        .totalTime(TimeUnit.MILLISECONDS);
  }

  private double gauge(String meter) {
    return registry.get(meter).gauge().value();
  }

  private Map<String, Double> lags() {
    return registry.find("ingest.lag").tag("topic", "orders").gauges().stream()
        .collect(
            Collectors.toMap(gauge -> gauge.getId().getTag("partition"), gauge -> gauge.value()));
  }

  /** Keeps whatever comes. */
  private static final class Kept implements DeadLetters {
    @Override
    public void keep(String route, List<RejectedEvent> rejected) {}

    @Override
    public void close() {}
  }

  private static Chunk chunk(String topic, long... timestamps) {
    List<Event> events =
        Arrays.stream(timestamps.length == 0 ? new long[] {NOW.toEpochMilli()} : timestamps)
            .mapToObj(timestamp -> event(topic, timestamp))
            .toList();
    return Batch.of(
            events, LockScheme.perKey(), KeyReader.recordKey(), keys -> new int[keys.size()])
        .head(1000);
  }

  private static Event event(String topic, long timestamp) {
    byte[] key = Long.toString(timestamp).getBytes(UTF_8);
    return new Event(new TopicPartition(topic, 0), 0, timestamp, key, null, List.of());
  }
}
