package dev.ingest.pipeline;

import dev.ingest.event.IngestException;
import dev.ingest.event.TopicPartition;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.RejectedEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what one consumer tells into the process's log. Thread-safe. */
final class ConsumerLog implements IngestEvents {
  private static final Logger LOG = LoggerFactory.getLogger(IngestLog.class);

  private final String consumer;
  private final IngestLog shared;

  ConsumerLog(String consumer, IngestLog shared) {
    this.consumer = consumer;
    this.shared = shared;
  }

  @Override
  public void applied(Chunk chunk, WriteOutcome.Applied applied, Instant at) {
    shared.summary().applied(applied);
    if (!chunk.parked().isEmpty()) {
      parked(chunk, at);
    }
  }

  private void parked(Chunk chunk, Instant at) {
    RejectedEvent first = chunk.parked().get(0);
    shared
        .limit()
        .pass("parked " + chunk.topic(), at)
        .ifPresent(
            heldBack ->
                LOG.warn(
                    "events parked: topic={} events={} first={} sqlstate={} reason=\"{}\" heldBack={}",
                    chunk.topic(),
                    chunk.parked().size(),
                    first.event(),
                    first.sqlState(),
                    first.reason(),
                    heldBack));
  }

  @Override
  public void deadLettered(String topic, int events) {
    shared.summary().parked(events);
    shared
        .limit()
        .pass("dead-lettered " + topic, shared.now())
        .ifPresent(
            heldBack ->
                LOG.warn(
                    "events dead-lettered: topic={} events={} heldBack={}",
                    topic,
                    events,
                    heldBack));
  }

  @Override
  public void skipped(String topic, int events) {
    shared.summary().skipped(events);
  }

  @Override
  public void batchDone(int events, Duration took) {
    LOG.debug("batch done: consumer={} events={} took={}", consumer, events, shown(took));
  }

  @Override
  public void retrying(StoreFault fault, int attempt, Duration delay) {
    shared.summary().retried();
    if (shared.outage().isPaused(consumer)) {
      stillPaused(fault, attempt);
      return;
    }
    String sqlState = String.valueOf(fault.sqlState());
    shared
        .limit()
        .pass("retry " + sqlState, shared.now())
        .ifPresent(
            heldBack ->
                LOG.warn(
                    "transaction tried again: consumer={} sqlstate={} attempt={} delay={} message=\"{}\""
                        + " heldBack={}",
                    consumer,
                    sqlState,
                    attempt,
                    shown(delay),
                    fault.getMessage(),
                    heldBack));
    LOG.debug("the cause of the retry", fault);
  }

  /** The fault that keeps writing paused may turn into another one, which is news. */
  private void stillPaused(StoreFault fault, int attempt) {
    if (shared.outage().begins(consumer, fault.kind())) {
      tellPause(fault);
    }
    LOG.debug("still paused: consumer={} attempt={}", consumer, attempt, fault);
  }

  @Override
  public void paused(StoreFault fault) {
    if (shared.outage().begins(consumer, fault.kind())) {
      tellPause(fault);
    } else {
      LOG.debug("writing paused: consumer={} sqlstate={}", consumer, fault.sqlState());
    }
  }

  private void tellPause(StoreFault fault) {
    if (fault.kind() == FaultKind.ENVIRONMENT) {
      LOG.error(
          "writing paused: consumer={} sqlstate={} message=\"{}\". Mend the server, its schema or its"
              + " privileges; writing then goes on by itself, nothing is lost.",
          consumer,
          fault.sqlState(),
          fault.getMessage());
    } else {
      LOG.warn(
          "writing paused: consumer={} sqlstate={} message=\"{}\". Tried again until it works, nothing"
              + " is lost.",
          consumer,
          fault.sqlState(),
          fault.getMessage());
    }
  }

  @Override
  public void resumed(Duration pausedFor) {
    if (shared.outage().ends(consumer)) {
      LOG.info("writing resumed: consumer={} after={}", consumer, shown(pausedFor));
    } else {
      LOG.debug("writing resumed: consumer={} after={}", consumer, shown(pausedFor));
    }
  }

  @Override
  public void assigned(Collection<TopicPartition> partitions) {
    if (partitions.isEmpty()) {
      LOG.debug("group settled, no partition is new: consumer={}", consumer);
    } else {
      LOG.info("partitions assigned: consumer={} {}", consumer, shown(partitions));
    }
  }

  @Override
  public void revoked(Collection<TopicPartition> partitions, boolean drained) {
    shared.summary().gone(partitions);
    LOG.info("partitions revoked: consumer={} {} drained={}", consumer, shown(partitions), drained);
  }

  @Override
  public void lost(Collection<TopicPartition> partitions) {
    shared.summary().gone(partitions);
    LOG.warn(
        "partitions lost: consumer={} {}. Another consumer has them and reads on from the last commit.",
        consumer,
        shown(partitions));
  }

  @Override
  public void lag(Map<TopicPartition, Long> events) {
    shared.summary().lag(events);
    shared.summary().take(shared.now()).ifPresent(text -> LOG.info("last minute: {}", text));
  }

  @Override
  public void offsetsCommitted(Map<TopicPartition, Long> nextOffsets, Duration took) {
    LOG.debug(
        "offsets committed: consumer={} nextOffsets={} took={}",
        consumer,
        nextOffsets,
        shown(took));
  }

  /** Only our own messages are written: another's may hold a value. */
  @Override
  public void failed(Throwable cause) {
    shared.outage().ends(consumer);
    if (cause instanceof IngestException ours) {
      LOG.error("consumer failed: consumer={} {}", consumer, ours.getMessage());
    } else {
      LOG.error(
          "consumer failed: consumer={} INTERNAL: {} at {}. Nothing is lost: start again, and report"
              + " this line as a bug.",
          consumer,
          cause.getClass().getName(),
          place(cause));
    }
    LOG.debug("the cause of the failure", cause);
  }

  private static String place(Throwable cause) {
    StackTraceElement[] stack = cause.getStackTrace();
    return stack.length == 0 ? "an unknown place" : stack[0].toString();
  }

  /** For example {@code orders=[0,3] payments=[1]}. */
  private static String shown(Collection<TopicPartition> partitions) {
    return partitions.stream()
        .sorted()
        .collect(
            Collectors.groupingBy(
                TopicPartition::topic,
                TreeMap::new,
                Collectors.mapping(
                    each -> Integer.toString(each.partition()), Collectors.joining(","))))
        .entrySet()
        .stream()
        .map(topic -> topic.getKey() + "=[" + topic.getValue() + "]")
        .collect(Collectors.joining(" "));
  }

  private static String shown(Duration time) {
    return time.toMillis() < 10_000
        ? time.toMillis() + "ms"
        : String.format(Locale.ROOT, "%.1fs", time.toMillis() / 1000.0);
  }
}
