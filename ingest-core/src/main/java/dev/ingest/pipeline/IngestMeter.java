package dev.ingest.pipeline;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Every meter of pipeline, queue and program; nothing else creates one. Durations are measured in
 * nanoseconds and shown in the registry's base unit, which for Prometheus is seconds.
 */
public enum IngestMeter {
  EVENTS(
      "ingest.events",
      Type.COUNTER,
      "events",
      "Events that are done; outcome: inserted, duplicate, parked, skipped, deleted.",
      "route",
      "topic",
      "outcome"),
  POLLED(
      "ingest.events.polled",
      Type.COUNTER,
      "events",
      "Events read from Kafka, once for each route.",
      "route",
      "topic"),
  RELEASED(
      "ingest.events.released",
      Type.COUNTER,
      "events",
      "Events read, then left unwritten to the next owner of their partition.",
      "route",
      "topic"),
  BATCH_EVENTS("ingest.batch.events", Type.SUMMARY, "events", "Events in a batch."),
  BATCH_DURATION(
      "ingest.batch.duration",
      Type.TIMER,
      "seconds",
      "Where time goes: lock, insert and commit of each transaction, and each commit of offsets.",
      "phase"),
  LOCK_WAIT(
      "ingest.lock.wait", Type.TIMER, "seconds", "How long a transaction waits for its locks."),
  RETRIES("ingest.retries", Type.COUNTER, "tries", "Transactions tried again.", "sqlstate"),
  LAG(
      "ingest.lag",
      Type.GAUGE,
      "events",
      "Events of a partition of ours that are not done, read or not.",
      "topic",
      "partition"),
  EVENT_LATENCY(
      "ingest.event.latency",
      Type.TIMER,
      "seconds",
      "Time from an event's record timestamp to the commit of its row."),
  PAUSED(
      "ingest.paused",
      Type.GAUGE,
      "consumers",
      "Consumers whose writing stands still until the environment is mended."),
  FAILED(
      "ingest.failed",
      Type.GAUGE,
      "consumers",
      "Consumers that stopped for good; a person must act."),
  JOBS_DEPTH(
      "ingest.jobs.depth",
      Type.GAUGE,
      "jobs",
      "Jobs in the table; status: waiting, running, failed.",
      "queue",
      "status"),
  JOBS_OLDEST(
      "ingest.jobs.oldest",
      Type.GAUGE,
      "seconds",
      "How long the oldest waiting job has been due.",
      "queue"),
  JOBS_CLAIM("ingest.jobs.claim", Type.SUMMARY, "jobs", "Jobs taken by a claim.", "queue"),
  JOBS_ATTEMPTS(
      "ingest.jobs.attempts",
      Type.COUNTER,
      "attempts",
      "Attempts that are over; outcome: done, again, failed.",
      "queue",
      "outcome"),
  JOBS_DURATION("ingest.jobs.duration", Type.TIMER, "seconds", "Time in handlers.", "queue"),
  JOBS_LEASE_EXPIRED(
      "ingest.jobs.lease.expired",
      Type.COUNTER,
      "jobs",
      "Jobs taken back from a worker that is gone or too slow.",
      "queue"),
  JOBS_LEASE_LOST(
      "ingest.jobs.lease.lost",
      Type.COUNTER,
      "jobs",
      "Outcomes that came after others had taken the job.",
      "queue"),
  POSTGRES_DEADLOCKS(
      "ingest.postgres.deadlocks",
      Type.COUNTER,
      "deadlocks",
      "Deadlocks in the database, whoever was in them, as the server counts them."),
  POSTGRES_LOCK_WAITERS(
      "ingest.postgres.lock.waiters",
      Type.GAUGE,
      "sessions",
      "Sessions of the database that wait for a lock."),
  POSTGRES_LOCK_LONGEST(
      "ingest.postgres.lock.longest",
      Type.GAUGE,
      "seconds",
      "How long the one that waits longest has waited.");

  /** How a meter behaves. */
  public enum Type {
    COUNTER,
    GAUGE,
    TIMER,
    SUMMARY
  }

  private static final double[] EVENT_BUCKETS = {
    1, 10, 50, 100, 250, 500, 1000, 2000, 5000, 10_000
  };

  private static final Duration[] SHORT_BUCKETS =
      millis(0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000);

  private static final Duration[] LONG_BUCKETS =
      millis(1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 60_000, 600_000);

  private final String meterName;
  private final Type type;
  private final String unit;
  private final String help;
  private final List<String> tags;

  IngestMeter(String meterName, Type type, String unit, String help, String... tags) {
    this.meterName = meterName;
    this.type = type;
    this.unit = unit;
    this.help = help;
    this.tags = List.of(tags);
  }

  /** Micrometer's name, with dots; a registry writes it in its own form. */
  public String meterName() {
    return meterName;
  }

  public Type type() {
    return type;
  }

  public String unit() {
    return unit;
  }

  public String help() {
    return help;
  }

  /** Names of the tags, in the order in which their values are given. */
  public List<String> tags() {
    return tags;
  }

  /** Name as Prometheus shows it; histograms add {@code _bucket}, {@code _count}, {@code _sum}. */
  public String prometheusName() {
    String base = meterName.replace('.', '_');
    return switch (type) {
      case COUNTER -> base + "_total";
      case TIMER -> base + "_seconds";
      case GAUGE -> isTime() ? base + "_seconds" : base;
      case SUMMARY -> base;
    };
  }

  private boolean isTime() {
    return unit.equals("seconds");
  }

  /** All meters as a Markdown table. Ends with a line end. */
  public static String markdown() {
    StringBuilder table =
        new StringBuilder("| meter | type | unit | tags | what it tells |\n")
            .append("| --- | --- | --- | --- | --- |\n");
    for (IngestMeter meter : values()) {
      table.append(meter.row());
    }
    return table.toString();
  }

  private String row() {
    String tagNames = tags.stream().map(tag -> "`" + tag + "`").collect(Collectors.joining(", "));
    return "| `%s` | %s | %s | %s | %s |\n"
        .formatted(prometheusName(), type.name().toLowerCase(Locale.ROOT), unit, tagNames, help);
  }

  public Counter counter(MeterRegistry registry, String... tagValues) {
    return Counter.builder(meterName).description(help).tags(tagged(tagValues)).register(registry);
  }

  public Timer timer(MeterRegistry registry, String... tagValues) {
    return Timer.builder(meterName)
        .description(help)
        .tags(tagged(tagValues))
        .serviceLevelObjectives(this == EVENT_LATENCY ? LONG_BUCKETS : SHORT_BUCKETS)
        .register(registry);
  }

  public DistributionSummary summary(MeterRegistry registry, String... tagValues) {
    return DistributionSummary.builder(meterName)
        .description(help)
        .tags(tagged(tagValues))
        .serviceLevelObjectives(EVENT_BUCKETS)
        .register(registry);
  }

  /** A gauge that keeps {@code value} alive, so that it never turns into NaN. */
  public Gauge gauge(MeterRegistry registry, Number value, String... tagValues) {
    return Gauge.builder(meterName, value, Number::doubleValue)
        .description(help)
        .baseUnit(isTime() ? unit : null)
        .tags(tagged(tagValues))
        .strongReference(true)
        .register(registry);
  }

  /**
   * A counter that shows what somebody else counts; hold {@code value}, which is only referred to.
   */
  public FunctionCounter counterOf(MeterRegistry registry, AtomicLong value, String... tagValues) {
    return FunctionCounter.builder(meterName, value, AtomicLong::doubleValue)
        .description(help)
        .tags(tagged(tagValues))
        .register(registry);
  }

  private Tags tagged(String... tagValues) {
    if (tagValues.length != tags.size()) {
      throw new IllegalArgumentException(
          meterName + " has tags=" + tags + ", given values=" + tagValues.length);
    }
    Tags tagged = Tags.empty();
    for (int i = 0; i < tagValues.length; i++) {
      tagged = tagged.and(Tag.of(tags.get(i), tagValues[i]));
    }
    return tagged;
  }

  private static Duration[] millis(double... millis) {
    Duration[] durations = new Duration[millis.length];
    for (int i = 0; i < millis.length; i++) {
      durations[i] = Duration.ofNanos(Math.round(millis[i] * 1_000_000));
    }
    return durations;
  }
}
