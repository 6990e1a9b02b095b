package dev.ingest.sim;

import dev.ingest.event.TopicPartition;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The coordinator's side of a consumer group: members join, say what they own, and are given a part
 * of the partitions under a new generation. A partition moves only after its owner let go of it
 * (KIP-429), or was thrown out.
 */
final class Group {
  private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(10);

  private static final class Member {
    private boolean joined;
    private int generation;
    private Instant lastSeen;
    private Set<TopicPartition> owned = Set.of();
    private Set<TopicPartition> assigned = Set.of();

    Member(Instant now) {
      lastSeen = now;
    }
  }

  private final List<TopicPartition> partitions;
  private final RandomGenerator random;
  private final InstantSource clock;
  private final TreeMap<String, Member> members = new TreeMap<>();
  private int generation;
  private boolean rebalancing;
  private int joins;
  private boolean calm;

  Group(List<TopicPartition> partitions, RandomGenerator random, InstantSource clock) {
    this.partitions = partitions;
    this.random = random;
    this.clock = clock;
  }

  /** From now on a partition moves only for balance. */
  void calmDown() {
    calm = true;
  }

  /** Takes a new member in, which owns nothing. */
  String join() {
    String id = "m" + ++joins;
    members.put(id, new Member(clock.instant()));
    rebalance();
    rejoin(id, Set.of());
    return id;
  }

  boolean knows(@Nullable String member) {
    return member != null && members.containsKey(member);
  }

  void seen(String member) {
    member(member).lastSeen = clock.instant();
  }

  /** Whether the group waits for this member to say what it owns. */
  boolean awaits(String member) {
    return rebalancing && !member(member).joined;
  }

  void rejoin(String id, Collection<TopicPartition> owned) {
    Member member = member(id);
    member.joined = true;
    member.owned = new TreeSet<>(owned);
    if (members.values().stream().allMatch(each -> each.joined)) {
      complete();
    }
  }

  /** The new assignment, where there is one that the member has not fetched. */
  @Nullable Set<TopicPartition> fetchAssignment(String id) {
    Member member = member(id);
    if (rebalancing || member.generation == generation) {
      return null;
    }
    member.generation = generation;
    return member.assigned;
  }

  int generationOf(String id) {
    return knows(id) ? member(id).generation : -1;
  }

  /** Whether a commit under this membership counts. */
  boolean accepts(@Nullable String member, int memberGeneration) {
    return knows(member) && memberGeneration == generation;
  }

  /** Everybody says again what he owns. */
  void rebalance() {
    if (!rebalancing) {
      rebalancing = true;
      members.values().forEach(member -> member.joined = false);
    }
  }

  /** The member is out, and learns of it when it asks the next time. */
  void remove(String member) {
    if (members.remove(member) == null) {
      return;
    }
    rebalance();
    if (!members.isEmpty() && members.values().stream().allMatch(each -> each.joined)) {
      complete();
    }
  }

  /** Throws out who was silent for too long. */
  List<String> expire() {
    Instant oldest = clock.instant().minus(SESSION_TIMEOUT);
    List<String> silent =
        members.entrySet().stream()
            .filter(entry -> entry.getValue().lastSeen.isBefore(oldest))
            .map(Map.Entry::getKey)
            .toList();
    silent.forEach(this::remove);
    return silent;
  }

  private Member member(String id) {
    Member member = members.get(id);
    if (member == null) {
      throw new IllegalArgumentException("no member " + id);
    }
    return member;
  }

  private void complete() {
    rebalancing = false;
    generation++;
    Map<TopicPartition, String> owners = new HashMap<>();
    members.forEach((id, member) -> member.owned.forEach(each -> owners.put(each, id)));
    members.values().forEach(member -> member.assigned = new TreeSet<>());
    Map<String, Integer> load = new HashMap<>();
    for (TopicPartition partition : partitions) {
      String owner = owners.get(partition);
      String target = target(owner, load);
      load.merge(target, 1, Integer::sum);
      if (owner == null || owner.equals(target)) {
        member(target).assigned.add(partition);
      }
    }
  }

  /** Mostly who has it already, else one of those with the least. */
  private String target(@Nullable String owner, Map<String, Integer> load) {
    int fair = (partitions.size() + members.size() - 1) / members.size();
    if (owner != null && load.getOrDefault(owner, 0) < fair && (calm || random.nextInt(5) > 0)) {
      return owner;
    }
    List<String> ids = new ArrayList<>(members.keySet());
    int least = ids.stream().mapToInt(id -> load.getOrDefault(id, 0)).min().orElseThrow();
    ids.removeIf(id -> load.getOrDefault(id, 0) > least);
    return ids.get(random.nextInt(ids.size()));
  }
}
