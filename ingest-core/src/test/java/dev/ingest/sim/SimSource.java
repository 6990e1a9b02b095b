package dev.ingest.sim;

import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.EventSource;
import dev.ingest.pipeline.Polled;
import dev.ingest.sim.Broker.CommitRequest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A group member as the Kafka client is one: callbacks within poll and close, commits in the
 * background with the membership of the moment they were sent, a pause that newly assigned
 * partitions know nothing of.
 */
final class SimSource implements EventSource {
  private final String name;
  private final Broker broker;
  private final Scenario scenario;
  private final Ledger ledger;
  private final Surroundings surroundings;
  private final RandomGenerator random;
  private final History history;

  private final Map<TopicPartition, Long> positions = new HashMap<>();
  private final TreeSet<TopicPartition> owned = new TreeSet<>();
  private final Set<TopicPartition> paused = new HashSet<>();
  private final ArrayDeque<Runnable> acknowledgements = new ArrayDeque<>();
  private @Nullable Listener listener;
  private @Nullable String member;

  /** What goes on around a consumer while it waits in a call. */
  interface Surroundings {
    /** Others move; throws {@link Crash} where this consumer did not survive it. */
    void interlude();

    /** Checks that the polling thread makes the call (I5). */
    void requirePollingThread();
  }

  SimSource(
      String name,
      Broker broker,
      Scenario scenario,
      Ledger ledger,
      Surroundings surroundings,
      RandomGenerator random,
      History history) {
    this.name = name;
    this.broker = broker;
    this.scenario = scenario;
    this.ledger = ledger;
    this.surroundings = surroundings;
    this.random = random;
    this.history = history;
  }

  @Nullable String member() {
    return member;
  }

  /** Whether the partition is ours as far as this member knows. */
  boolean owns(TopicPartition partition) {
    return owned.contains(partition);
  }

  /** Whether the group took all partitions away, and this member does not know. */
  boolean isThrownOut() {
    return !broker.group().knows(member);
  }

  @Override
  public void subscribe(Listener events) {
    surroundings.requirePollingThread();
    listener = events;
  }

  @Override
  public Polled poll(Duration timeout) {
    surroundings.requirePollingThread();
    surroundings.interlude();
    acknowledge();
    meetTheGroup();
    surroundings.interlude();
    Polled polled = fetch();
    surroundings.interlude();
    ledger.fetched(polled.events());
    return polled;
  }

  private void acknowledge() {
    while (!acknowledgements.isEmpty()) {
      acknowledgements.remove().run();
    }
  }

  private Listener listener() {
    if (listener == null) {
      throw new IllegalStateException("not subscribed");
    }
    return listener;
  }

  private void meetTheGroup() {
    Group group = broker.group();
    String me = member;
    if (me == null || !group.knows(me)) {
      lose();
      member = group.join();
      history.add(name, "joins as", member);
      return;
    }
    group.seen(me);
    if (group.awaits(me)) {
      if (scenario.eager()) {
        revoke(new TreeSet<>(owned));
      }
      if (group.knows(me)) {
        group.rejoin(me, owned);
      }
    }
    Set<TopicPartition> assignment = group.knows(me) ? group.fetchAssignment(me) : null;
    if (assignment != null) {
      take(assignment);
    }
  }

  private void take(Set<TopicPartition> assignment) {
    TreeSet<TopicPartition> gone = new TreeSet<>(owned);
    gone.removeAll(assignment);
    TreeSet<TopicPartition> added = new TreeSet<>(assignment);
    added.removeAll(owned);
    if (!gone.isEmpty()) {
      revoke(gone);
      broker.group().rebalance();
    }
    if (!added.isEmpty()) {
      history.add(name, "is assigned", added);
      added.forEach(partition -> positions.put(partition, broker.committed(partition)));
      owned.addAll(added);
      listener().assigned(List.copyOf(added));
    }
  }

  private void revoke(Set<TopicPartition> gone) {
    if (gone.isEmpty()) {
      return;
    }
    history.add(name, "is revoked", gone);
    ledger.leaving(gone);
    listener().revoked(List.copyOf(gone));
    ledger.left();
    forget(gone);
  }

  private void lose() {
    if (owned.isEmpty()) {
      return;
    }
    TreeSet<TopicPartition> gone = new TreeSet<>(owned);
    history.add(name, "has lost", gone);
    forget(gone);
    ledger.leaving(gone);
    listener().lost(List.copyOf(gone));
    ledger.left();
  }

  private void forget(Set<TopicPartition> gone) {
    owned.removeAll(gone);
    paused.removeAll(gone);
    gone.forEach(positions::remove);
  }

  private Polled fetch() {
    List<Event> events = new ArrayList<>();
    Map<TopicPartition, Long> moved = new HashMap<>();
    List<TopicPartition> order = new ArrayList<>(owned);
    order.removeAll(paused);
    shuffle(order);
    for (TopicPartition partition : order) {
      if (random.nextInt(3) == 0) {
        continue; // the fetch is still on its way
      }
      long from = positions.getOrDefault(partition, 0L);
      SimLog.Read read = broker.log(partition).read(from, scenario.maxPoll() - events.size());
      if (read.next() > from) {
        positions.put(partition, read.next());
        moved.put(partition, read.next());
        events.addAll(read.events());
      }
    }
    if (!events.isEmpty()) {
      history.add(name, "polls", events);
    }
    return new Polled(events, moved);
  }

  private void shuffle(List<TopicPartition> list) {
    for (int i = list.size(); i > 1; i--) {
      Collections.swap(list, i - 1, random.nextInt(i));
    }
  }

  @Override
  public void pauseAll() {
    surroundings.requirePollingThread();
    paused.addAll(owned);
  }

  @Override
  public void resumeAll() {
    surroundings.requirePollingThread();
    paused.clear();
  }

  @Override
  public Map<TopicPartition, Long> unread() {
    surroundings.requirePollingThread();
    Map<TopicPartition, Long> unread = new HashMap<>();
    positions.forEach(
        (partition, position) -> unread.put(partition, broker.log(partition).end() - position));
    return unread;
  }

  @Override
  public void commit(Map<TopicPartition, Long> nextOffsets, Runnable acknowledged) {
    surroundings.requirePollingThread();
    send(nextOffsets, () -> acknowledgements.add(acknowledged));
    surroundings.interlude();
  }

  @Override
  public boolean commitNow(Map<TopicPartition, Long> nextOffsets, Duration timeout) {
    surroundings.requirePollingThread();
    surroundings.interlude();
    boolean[] stored = new boolean[1];
    send(nextOffsets, () -> stored[0] = true);
    broker.flush(name);
    surroundings.interlude();
    acknowledge();
    return stored[0];
  }

  private void send(Map<TopicPartition, Long> nextOffsets, Runnable stored) {
    if (!owned.containsAll(nextOffsets.keySet())) {
      throw new Violation("I1", name + " owns " + owned + " and commits " + nextOffsets);
    }
    int generation = member == null ? -1 : broker.group().generationOf(member);
    broker.send(name, new CommitRequest(member, generation, Map.copyOf(nextOffsets), stored));
  }

  @Override
  public void close(Duration timeout) {
    surroundings.requirePollingThread();
    String me = member;
    if (me != null && broker.group().knows(me)) {
      revoke(new TreeSet<>(owned));
      broker.flush(name);
      broker.group().remove(me);
    } else {
      lose();
    }
    acknowledge();
    member = null;
    history.add(name, "has left");
  }
}
