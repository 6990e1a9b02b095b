package dev.ingest.app.http;

import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.IngestConsumer.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Decides whether the process is alive and whether it is ready. Pure. */
final class HealthRules {
  private HealthRules() {}

  /**
   * Alive: no consumer has failed, the loops of each turn, and no partition stands still for no
   * known reason. A pause is no reason to restart.
   */
  static Verdict alive(List<ConsumerStatus> consumers, LoopBounds bounds, Instant now) {
    List<String> problems = new ArrayList<>();
    for (ConsumerStatus consumer : consumers) {
      if (consumer.state() == State.FAILED) {
        problems.add(consumer.name() + " has failed and does not start again by itself");
      } else if (consumer.state() == State.RUNNING) {
        stuck(consumer.lastPoll(), bounds.poll(), now)
            .ifPresent(since -> problems.add(consumer.name() + " has not polled for " + since));
        stuck(consumer.lastWrite(), bounds.write(), now)
            .ifPresent(since -> problems.add(consumer.name() + " has not written for " + since));
        consumer
            .standing()
            .forEach(
                (partition, begin) ->
                    stuck(begin, bounds.progress(), now)
                        .ifPresent(since -> problems.add(standing(consumer, partition, since))));
      }
    }
    return new Verdict(problems);
  }

  private static String standing(ConsumerStatus consumer, TopicPartition partition, String since) {
    return consumer.name() + " is behind in " + partition + " and has not got on for " + since;
  }

  private static Optional<String> stuck(Instant last, Duration bound, Instant now) {
    Duration since = Duration.between(last, now);
    return since.compareTo(bound) > 0
        ? Optional.of(since.toSeconds() + " s, bound=" + bound.toSeconds() + " s")
        : Optional.empty();
  }

  /** The same, asking the database only once the consumers have started. */
  static Verdict ready(HealthView health, Supplier<Optional<String>> databaseProblem) {
    return health
        .starting()
        .map(reason -> new Verdict(List.of("not started yet, waiting for: " + reason)))
        .orElseGet(() -> ready(health.consumers(), databaseProblem.get()));
  }

  /** Ready: every consumer runs, is a member of the group and not paused; the database writes. */
  static Verdict ready(List<ConsumerStatus> consumers, Optional<String> databaseProblem) {
    List<String> problems = new ArrayList<>();
    if (consumers.isEmpty()) {
      problems.add("no consumer is started yet");
    }
    Map<String, List<String>> byReason = new LinkedHashMap<>();
    consumers.forEach(
        consumer ->
            unready(consumer)
                .ifPresent(
                    reason ->
                        byReason
                            .computeIfAbsent(reason, each -> new ArrayList<>())
                            .add(consumer.name())));
    byReason.forEach((reason, names) -> problems.add(String.join(", ", names) + " " + reason));
    databaseProblem.ifPresent(problem -> problems.add("database not writable: " + problem));
    return new Verdict(problems);
  }

  /** Why a consumer is not ready, without its name, so that one fault of many is told once. */
  private static Optional<String> unready(ConsumerStatus consumer) {
    if (consumer.state() != State.RUNNING) {
      return Optional.of(Words.of(consumer.state()));
    }
    if (consumer.pause().isPresent()) {
      return Optional.of("paused: " + Words.of(consumer.pause().get()));
    }
    return consumer.joined()
        ? Optional.empty()
        : Optional.of("waiting for the group to assign partitions");
  }
}
