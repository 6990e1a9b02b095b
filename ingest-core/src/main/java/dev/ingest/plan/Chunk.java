package dev.ingest.plan;

import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What one transaction writes: events of one topic on one route, one group for each key, ascending
 * by hash, and the events to park beside them. Immutable.
 */
public final class Chunk {
  private final String route;
  private final String topic;
  private final LockScheme scheme;
  private final List<KeyGroup> groups;
  private final List<RejectedEvent> parked;

  /** The groups before any of their events was parked, while that can be taken back. */
  private final List<KeyGroup> before;

  private Chunk(
      String route,
      String topic,
      LockScheme scheme,
      List<KeyGroup> groups,
      List<RejectedEvent> parked) {
    this(route, topic, scheme, groups, parked, groups);
  }

  private Chunk(
      String route,
      String topic,
      LockScheme scheme,
      List<KeyGroup> groups,
      List<RejectedEvent> parked,
      List<KeyGroup> before) {
    this.route = Objects.requireNonNull(route, "route");
    this.topic = Objects.requireNonNull(topic, "topic");
    this.scheme = scheme;
    this.groups = List.copyOf(groups);
    this.parked = List.copyOf(parked);
    this.before = before == groups ? this.groups : List.copyOf(before);
  }

  /** A chunk of the only route. */
  public static Chunk of(
      String topic, LockScheme scheme, List<KeyGroup> groups, List<RejectedEvent> parked) {
    return of(Route.DEFAULT, topic, scheme, groups, parked);
  }

  /**
   * @param route name of the route
   * @param groups any order; a key appears once
   * @throws IllegalArgumentException where two groups have the same key
   */
  public static Chunk of(
      String route,
      String topic,
      LockScheme scheme,
      List<KeyGroup> groups,
      List<RejectedEvent> parked) {
    List<KeyGroup> sorted = new ArrayList<>(groups);
    Collections.sort(sorted);
    for (int i = 1; i < sorted.size(); i++) {
      if (sorted.get(i - 1).compareTo(sorted.get(i)) == 0) {
        throw new IllegalArgumentException(
            "Two groups of topic=" + topic + " have the same key, index=" + i + "; merge them.");
      }
    }
    return new Chunk(route, topic, scheme, sorted, parked);
  }

  /** Name of the route. */
  public String route() {
    return route;
  }

  public String topic() {
    return topic;
  }

  /** Groups ascending by signed hash, then key: the order of locks and of rows. */
  public List<KeyGroup> groups() {
    return groups;
  }

  /** Events to park in the same transaction. */
  public List<RejectedEvent> parked() {
    return parked;
  }

  public LockPlan locks() {
    return LockPlan.of(scheme, groups);
  }

  /** Events that are not parked: those to store, their repeats, and deletions. */
  public int storable() {
    int count = 0;
    for (KeyGroup group : groups) {
      count += group.events().size();
    }
    return count;
  }

  /** Keys whose rows are to go first. */
  public int deleting() {
    int count = 0;
    for (KeyGroup group : groups) {
      count += group.deletes() ? 1 : 0;
    }
    return count;
  }

  /** Keys that have a row in the end. */
  public int storing() {
    int count = 0;
    for (KeyGroup group : groups) {
      count += group.stores() ? 1 : 0;
    }
    return count;
  }

  /** Whether there is nothing to write. */
  public boolean isEmpty() {
    return groups.isEmpty() && parked.isEmpty();
  }

  /**
   * This chunk where it takes few enough locks; else as many of its groups as do, with the events
   * to park, and the rest.
   *
   * @param maxLocks advisory locks that a transaction may take, at least 1
   */
  public List<Chunk> split(int maxLocks) {
    if (maxLocks < 1) {
      throw new IllegalArgumentException("maxLocks=" + maxLocks + " is below 1");
    }
    int fitting = fitting(maxLocks);
    if (fitting == groups.size()) {
      return List.of(this);
    }
    return List.of(
        new Chunk(route, topic, scheme, groups.subList(0, fitting), parked),
        new Chunk(route, topic, scheme, groups.subList(fitting, groups.size()), List.of()));
  }

  private int fitting(int maxLocks) {
    if (scheme.mode() == LockScheme.Mode.NONE || groups.size() <= maxLocks) {
      return groups.size();
    }
    Set<Integer> locks = new HashSet<>();
    int fitting = 0;
    while (fitting < groups.size()) {
      locks.add(scheme.lockId(groups.get(fitting).hash()));
      if (locks.size() > maxLocks) {
        break;
      }
      fitting++;
    }
    return fitting;
  }

  /** Some of the groups of this chunk, in their order, and nothing to park. */
  public Chunk only(List<KeyGroup> some) {
    return new Chunk(route, topic, scheme, some, List.of());
  }

  /**
   * The same events with some of them parked instead of stored. Where the first event of a key is
   * parked, the next of that key takes its place. Events that are in no group, because they never
   * had a key, are added to those to park.
   */
  public Chunk parking(List<RejectedEvent> rejected) {
    List<RejectedEvent> allParked = new ArrayList<>(parked);
    allParked.addAll(rejected);
    return new Chunk(route, topic, scheme, remaining(rejected), allParked, before);
  }

  /** Events to park that this chunk, as it is or as it was, could not store: they have no key. */
  List<RejectedEvent> keyless(List<RejectedEvent> rejected) {
    Set<Event> keyed = Collections.newSetFromMap(new IdentityHashMap<>());
    before.forEach(group -> keyed.addAll(group.events()));
    return rejected.stream().filter(each -> !keyed.contains(each.event())).toList();
  }

  /**
   * The chunk before events were parked instead of stored, as far as it was not cut since; nothing
   * is parked by it.
   */
  Chunk undecided() {
    return new Chunk(route, topic, scheme, before, List.of());
  }

  /** The same chunk without these events, which are kept elsewhere. */
  public Chunk without(List<RejectedEvent> rejected) {
    return new Chunk(route, topic, scheme, remaining(rejected), parked);
  }

  /** The same chunk without the events of these partitions, those to park included. */
  Chunk outside(Set<TopicPartition> partitions) {
    return new Chunk(
        route,
        topic,
        scheme,
        outside(partitions, groups),
        parked.stream().filter(each -> !partitions.contains(each.event().partition())).toList(),
        outside(partitions, before));
  }

  private static List<KeyGroup> outside(Set<TopicPartition> partitions, List<KeyGroup> groups) {
    return groups.stream().flatMap(group -> group.outside(partitions).stream()).toList();
  }

  private List<KeyGroup> remaining(List<RejectedEvent> rejected) {
    Set<Event> events = Collections.newSetFromMap(new IdentityHashMap<>());
    rejected.forEach(each -> events.add(each.event()));
    List<KeyGroup> kept = new ArrayList<>(groups.size());
    for (KeyGroup group : groups) {
      group.without(events).ifPresent(kept::add);
    }
    return kept;
  }
}
