package dev.ingest.sim;

import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Logs, committed offsets and the requests to commit that are on their way. Checks I1 whenever an
 * offset is stored: what is done stays done, so that is as good as checking after every step.
 */
final class Broker {
  /** A commit that the broker has not worked on so far. */
  record CommitRequest(
      @Nullable String member,
      int generation,
      Map<TopicPartition, Long> offsets,
      Runnable stored) {}

  private final TreeMap<TopicPartition, SimLog> logs = new TreeMap<>();
  private final TreeMap<TopicPartition, Long> committed = new TreeMap<>();
  private final TreeMap<String, ArrayDeque<CommitRequest>> requests = new TreeMap<>();
  private final Group group;
  private final Predicate<Event> isDone;
  private final RandomGenerator random;
  private final History history;
  private int flakesPerThousand;

  Broker(
      Scenario scenario,
      Group group,
      Predicate<Event> isDone,
      RandomGenerator random,
      History history) {
    scenario.partitions().forEach(partition -> logs.put(partition, new SimLog()));
    this.flakesPerThousand = scenario.rates().flake();
    this.group = group;
    this.isDone = isDone;
    this.random = random;
    this.history = history;
  }

  Group group() {
    return group;
  }

  SimLog log(TopicPartition partition) {
    SimLog log = logs.get(partition);
    if (log == null) {
      throw new IllegalArgumentException("no " + partition);
    }
    return log;
  }

  long committed(TopicPartition partition) {
    return committed.getOrDefault(partition, 0L);
  }

  List<Event> events() {
    List<Event> events = new ArrayList<>();
    logs.values().forEach(log -> events.addAll(log.between(0, log.end())));
    return events;
  }

  long lag() {
    return logs.entrySet().stream()
        .mapToLong(entry -> entry.getValue().end() - committed(entry.getKey()))
        .sum();
  }

  void heal() {
    flakesPerThousand = 0;
    group.calmDown();
  }

  /** Takes a request in from the connection of a consumer; they are worked on in their order. */
  void send(String consumer, CommitRequest request) {
    requests.computeIfAbsent(consumer, name -> new ArrayDeque<>()).add(request);
  }

  /** Works on everything this consumer has sent. */
  void flush(String consumer) {
    while (serve(consumer)) {}
  }

  /** Works on one request of one consumer; false where there is none. */
  boolean serveOne() {
    List<String> waiting =
        requests.entrySet().stream()
            .filter(entry -> !entry.getValue().isEmpty())
            .map(Map.Entry::getKey)
            .toList();
    return !waiting.isEmpty() && serve(waiting.get(random.nextInt(waiting.size())));
  }

  private boolean serve(String consumer) {
    ArrayDeque<CommitRequest> queue = requests.get(consumer);
    CommitRequest request = queue == null ? null : queue.poll();
    if (request == null) {
      return false;
    }
    if (flakes() || !group.accepts(request.member(), request.generation())) {
      history.add("broker", "refuses the commit of", consumer, request.offsets());
      return true;
    }
    request.offsets().forEach(this::store);
    history.add("broker", "stores the commit of", consumer, request.offsets());
    if (!flakes()) { // else the reply is lost
      request.stored().run();
    }
    return true;
  }

  private boolean flakes() {
    return flakesPerThousand > 0 && random.nextInt(1000) < flakesPerThousand;
  }

  private void store(TopicPartition partition, long nextOffset) {
    long before = committed(partition);
    if (nextOffset < before) {
      throw new Violation("I1", partition + " goes back from " + before + " to " + nextOffset);
    }
    if (nextOffset > log(partition).end()) {
      throw new Violation("I1", partition + " is committed past its end: " + nextOffset);
    }
    for (Event event : log(partition).between(before, nextOffset)) {
      if (!isDone.test(event)) {
        throw new Violation(
            "I1", "offset " + nextOffset + " is committed, " + event + " is nowhere");
      }
    }
    committed.put(partition, nextOffset);
  }
}
