package dev.ingest.plan;

import dev.ingest.event.BusinessKey;
import dev.ingest.event.Event;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;

/**
 * The events gathered for one round of writing, grouped by topic and key and sorted by hash, and a
 * cursor that cuts them into chunks. Single-threaded.
 */
public final class Batch {
  private final LockScheme scheme;
  private final List<TopicPart> parts;
  private final Map<String, Integer> skipped;
  private int part;
  private int group;
  private int end;

  private Batch(LockScheme scheme, List<TopicPart> parts, Map<String, Integer> skipped) {
    this.scheme = scheme;
    this.parts = parts;
    this.skipped = Map.copyOf(skipped);
  }

  /**
   * Plans events in the order they were polled. Whatever {@code hasher} throws passes through; no
   * state is kept then, and the call may be made again.
   */
  public static Batch of(
      List<Event> events, LockScheme scheme, EventReader reader, KeyHasher hasher) {
    Map<String, Gathering> byTopic = new LinkedHashMap<>();
    for (Event event : events) {
      byTopic
          .computeIfAbsent(event.partition().topic(), topic -> new Gathering())
          .add(event, reader.read(event));
    }
    List<TopicPart> parts = new ArrayList<>();
    Map<String, Integer> skipped = new HashMap<>();
    byTopic.forEach(
        (topic, gathering) -> {
          if (gathering.skipped > 0) {
            skipped.put(topic, gathering.skipped);
          }
          gathering.toPart(topic, hasher).ifPresent(parts::add);
        });
    return new Batch(scheme, parts, skipped);
  }

  /** Events passed over by a rule the user wrote, by topic; topics with none are absent. */
  public Map<String, Integer> skipped() {
    return skipped;
  }

  public boolean hasNext() {
    return part < parts.size();
  }

  /**
   * Cuts the chunk at the cursor. The cursor stays, so a chunk may be cut again with fewer locks.
   *
   * @param maxLocks advisory locks the chunk's transaction may take, at least 1
   * @throws NoSuchElementException after the last chunk
   */
  public Chunk peek(int maxLocks) {
    if (!hasNext()) {
      throw new NoSuchElementException("The batch has no further chunk.");
    }
    if (maxLocks < 1) {
      throw new IllegalArgumentException("maxLocks=" + maxLocks + " is below 1");
    }
    TopicPart current = parts.get(part);
    end = cut(current.groups, maxLocks);
    return Chunk.of(current.topic, scheme, current.groups.subList(group, end), List.of());
  }

  /** Events of the chunk's topic that have no key; told once, with the topic's first chunk. */
  public List<RejectedEvent> unreadable() {
    return group == 0 ? parts.get(part).rejected : List.of();
  }

  /** Moves the cursor past the chunk that was cut last. */
  public void advance() {
    group = end;
    if (group == parts.get(part).groups.size()) {
      part++;
      group = 0;
      end = 0;
    }
  }

  private int cut(List<KeyGroup> groups, int maxLocks) {
    if (scheme.mode() == LockScheme.Mode.NONE) {
      return groups.size();
    }
    Set<Integer> locks = new HashSet<>();
    int to = group;
    while (to < groups.size()) {
      locks.add(scheme.lockId(groups.get(to).hash()));
      if (locks.size() > maxLocks) {
        break;
      }
      to++;
    }
    return to;
  }

  private record TopicPart(String topic, List<KeyGroup> groups, List<RejectedEvent> rejected) {}

  /** What is found of one topic while the events are read. */
  private static final class Gathering {
    private final Map<BusinessKey, List<Event>> byKey = new LinkedHashMap<>();
    private final List<RejectedEvent> rejected = new ArrayList<>();
    private int skipped;

    void add(Event event, Reading reading) {
      if (reading instanceof Reading.Keyed keyed) {
        byKey.computeIfAbsent(keyed.key(), key -> new ArrayList<>(1)).add(event);
      } else if (reading instanceof Reading.Rejected refused) {
        rejected.add(RejectedEvent.unreadable(event, refused.reason()));
      } else {
        skipped++;
      }
    }

    Optional<TopicPart> toPart(String topic, KeyHasher hasher) {
      if (byKey.isEmpty() && rejected.isEmpty()) {
        return Optional.empty();
      }
      List<String> keys = new ArrayList<>(byKey.size());
      byKey.keySet().forEach(key -> keys.add(key.value()));
      int[] hashes = hasher.hash(keys);
      List<KeyGroup> groups = new ArrayList<>(keys.size());
      byKey.forEach((key, events) -> groups.add(new KeyGroup(key, hashes[groups.size()], events)));
      Collections.sort(groups);
      return Optional.of(new TopicPart(topic, groups, List.copyOf(rejected)));
    }
  }
}
