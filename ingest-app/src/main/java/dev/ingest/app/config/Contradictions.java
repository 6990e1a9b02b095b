package dev.ingest.app.config;

import dev.ingest.app.config.ErrorSettings.BadEvent;
import dev.ingest.app.config.LockSettings.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Settings that are right one by one and wrong together. */
final class Contradictions {
  /** Names of Kafka settings that the pipeline's promises rest on, and what to use instead. */
  private static final Map<String, String> OWNED =
      Map.of(
          "group.id", "use ingest.source.group-id",
          "auto.offset.reset", "use ingest.source.start",
          "enable.auto.commit", "offsets are committed after the database commit",
          "isolation.level", "only committed records are read",
          "key.deserializer", "records are read as bytes",
          "value.deserializer", "records are read as bytes",
          "key.serializer", "records are sent as bytes",
          "value.serializer", "records are sent as bytes");

  /** Settings that the group protocol of KIP-848 has on the broker's side alone. */
  private static final List<String> CLASSIC_ONLY =
      List.of("session.timeout.ms", "heartbeat.interval.ms", "partition.assignment.strategy");

  private static final String POLL_INTERVAL = "max.poll.interval.ms";

  /** What a rebalance waits for at most: the batch that is written, the offsets, and some room. */
  private static final Duration HANDOVER = Duration.ofSeconds(20);

  private static final String LOCKS = "ingest.lock.mode=key or stripe";

  private final Values values;
  private final List<String> problems = new ArrayList<>();

  private Contradictions(Values values) {
    this.values = values;
  }

  /** Sentences without a full stop. Values that could not be parsed take part in none. */
  static List<String> in(Values values) {
    Contradictions found = new Contradictions(values);
    found.ofKafka();
    found.ofGroupProtocol();
    found.ofPollInterval();
    found.ofSizes();
    found.ofTimeouts();
    found.ofLocks();
    found.ofBadEvents();
    return found.problems;
  }

  private void ofKafka() {
    values
        .below(Settings.KAFKA)
        .keySet()
        .forEach(
            name -> {
              if (OWNED.containsKey(name)) {
                problems.add(Settings.KAFKA.prefix() + name + " cannot be set; " + OWNED.get(name));
              }
            });
  }

  private void ofGroupProtocol() {
    Map<String, String> kafka = values.below(Settings.KAFKA);
    if ("consumer".equalsIgnoreCase(kafka.get("group.protocol"))) {
      CLASSIC_ONLY.stream()
          .filter(kafka::containsKey)
          .forEach(
              name ->
                  problems.add(
                      Settings.KAFKA.prefix()
                          + name
                          + " has no place with group.protocol=consumer, where the broker decides it;"
                          + " leave it out"));
    }
  }

  /** A partition that is taken away waits for a write, so a write must end before that time. */
  private void ofPollInterval() {
    String interval = values.below(Settings.KAFKA).getOrDefault(POLL_INTERVAL, "300000");
    if (!interval.matches("[0-9]{1,10}")) {
      return; // the Kafka client says what is wrong with it
    }
    Duration given = Duration.ofMillis(Long.parseLong(interval));
    String poll = Settings.KAFKA.prefix() + POLL_INTERVAL + "=" + interval;
    if (given.compareTo(HANDOVER) < 0) {
      problems.add(
          poll
              + " leaves no room for handing partitions over, which may take "
              + HANDOVER.toSeconds()
              + " s; raise it");
    }
    values
        .find(Settings.POSTGRES_SOCKET_TIMEOUT)
        .filter(slowest -> slowest.compareTo(given) >= 0)
        .ifPresent(
            slowest ->
                problems.add(
                    assignment(Settings.POSTGRES_SOCKET_TIMEOUT)
                        + " lets one statement outlast "
                        + poll
                        + " (milliseconds); lower the first or raise the second"));
  }

  private void ofSizes() {
    requireLess(Settings.BATCH_MAX_BYTES, Settings.BUFFER_MAX_BYTES, true);
  }

  private void ofTimeouts() {
    requireLess(Settings.LOCK_TIMEOUT, Settings.POSTGRES_STATEMENT_TIMEOUT, false);
    requireLess(Settings.POSTGRES_STATEMENT_TIMEOUT, Settings.POSTGRES_SOCKET_TIMEOUT, false);
    requireLess(Settings.POSTGRES_SOCKET_TIMEOUT, Settings.PROGRESS_TIMEOUT, false);
  }

  private <T extends Comparable<T>> void requireLess(
      Setting<T> smaller, Setting<T> larger, boolean orEqual) {
    values
        .find(smaller)
        .ifPresent(
            low ->
                values
                    .find(larger)
                    .filter(high -> low.compareTo(high) > (orEqual ? 0 : -1))
                    .ifPresent(high -> problems.add(notLess(smaller, larger))));
  }

  private String notLess(Setting<?> smaller, Setting<?> larger) {
    return assignment(smaller)
        + " leaves no room below "
        + assignment(larger)
        + "; lower the first or raise the second";
  }

  private void ofLocks() {
    values
        .find(Settings.LOCK_MODE)
        .ifPresent(
            mode -> {
              refuseUnless(mode == Mode.STRIPE, Settings.LOCK_STRIPES, "ingest.lock.mode=stripe");
              refuseUnless(mode != Mode.NONE, Settings.LOCK_NAMESPACE, LOCKS);
              refuseUnless(mode != Mode.NONE, Settings.LOCK_BUDGET, LOCKS);
            });
  }

  private void ofBadEvents() {
    values
        .find(Settings.ERRORS_BAD_EVENT)
        .ifPresent(
            rule -> {
              boolean deadLetter = rule == BadEvent.DEAD_LETTER;
              refuseUnless(
                  deadLetter,
                  Settings.ERRORS_DEAD_LETTER_TOPIC,
                  "ingest.errors.bad-event=dead-letter");
              if (deadLetter && !values.isGiven(Settings.ERRORS_DEAD_LETTER_TOPIC)) {
                problems.add(
                    "ingest.errors.dead-letter-topic is missing; ingest.errors.bad-event=dead-letter needs it");
              }
            });
    values.find(Settings.ERRORS_DEAD_LETTER_TOPIC).ifPresent(this::refuseLoop);
  }

  private void refuseLoop(String deadLetterTopic) {
    if (values
        .find(Settings.SOURCE_TOPICS)
        .filter(topics -> topics.includes(deadLetterTopic))
        .isPresent()) {
      problems.add(
          assignment(Settings.ERRORS_DEAD_LETTER_TOPIC)
              + " is among ingest.source.topics, so bad events would come round again; use a topic that is not read");
    }
  }

  private void refuseUnless(boolean meaningful, Setting<?> setting, String condition) {
    if (!meaningful && values.isGiven(setting)) {
      problems.add(
          assignment(setting) + " has an effect only with " + condition + "; leave it out");
    }
  }

  private String assignment(Setting<?> setting) {
    return setting.key() + "=" + values.raw(setting).map(Raw::text).orElse("");
  }
}
