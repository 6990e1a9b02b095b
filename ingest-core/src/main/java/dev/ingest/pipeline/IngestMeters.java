package dev.ingest.pipeline;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The meters of one process, filled by its consumers: {@link #forConsumer} makes the listener of
 * each. Thread-safe.
 *
 * <p>Counters of a topic exist from its first assignment on, at zero, so that a rate is right from
 * the first event.
 */
public final class IngestMeters {
  /** Tries that are normal under contention; counted from zero, so that the first one shows. */
  private static final List<String> USUAL_RETRIES = List.of("40001", "40P01", "55P03");

  /** A topic on one of its routes. */
  private record Way(String route, String topic) {}

  /** Times of the phases of a transaction, and of a commit of offsets. */
  record PhaseTimers(Timer lock, Timer insert, Timer commit, Timer offsets) {}

  private final MeterRegistry registry;
  private final Map<Way, TopicCounters> ways = new ConcurrentHashMap<>();
  private final Map<String, Counter> retries = new ConcurrentHashMap<>();
  private final LagGauges lag;
  private final PhaseTimers phases;
  private final Timer lockWait;
  private final Timer latency;
  private final DistributionSummary batchEvents;
  private final AtomicInteger paused = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();

  /** One for each registry: a second one on the same registry would not be heard. */
  public IngestMeters(MeterRegistry registry) {
    this.registry = registry;
    this.lag = new LagGauges(registry);
    this.phases =
        new PhaseTimers(
            IngestMeter.BATCH_DURATION.timer(registry, "lock"),
            IngestMeter.BATCH_DURATION.timer(registry, "insert"),
            IngestMeter.BATCH_DURATION.timer(registry, "commit"),
            IngestMeter.BATCH_DURATION.timer(registry, "offsets"));
    this.lockWait = IngestMeter.LOCK_WAIT.timer(registry);
    this.latency = IngestMeter.EVENT_LATENCY.timer(registry);
    this.batchEvents = IngestMeter.BATCH_EVENTS.summary(registry);
    IngestMeter.PAUSED.gauge(registry, paused);
    IngestMeter.FAILED.gauge(registry, failed);
    USUAL_RETRIES.forEach(this::retries);
  }

  /** The listener of one consumer, to be made once for each. */
  public IngestEvents forConsumer() {
    return new ConsumerMeters(this);
  }

  TopicCounters counters(String route, String topic) {
    Way way = new Way(route, topic);
    TopicCounters known = ways.get(way);
    return known != null
        ? known
        : ways.computeIfAbsent(way, each -> TopicCounters.register(registry, route, topic));
  }

  Counter retries(String sqlState) {
    return retries.computeIfAbsent(sqlState, state -> IngestMeter.RETRIES.counter(registry, state));
  }

  LagGauges lag() {
    return lag;
  }

  PhaseTimers phases() {
    return phases;
  }

  Timer lockWait() {
    return lockWait;
  }

  Timer latency() {
    return latency;
  }

  DistributionSummary batchEvents() {
    return batchEvents;
  }

  AtomicInteger paused() {
    return paused;
  }

  AtomicInteger failed() {
    return failed;
  }
}
