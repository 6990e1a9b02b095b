package dev.ingest.plan;

import dev.ingest.event.BusinessKey;
import dev.ingest.event.Event;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The events gathered for one round of writing, grouped by topic and key and sorted by hash, as a
 * queue of chunks. The chunk at its head is the one at hand; it shrinks when fewer locks may be
 * taken, and what was decided on its events stays decided. Single-threaded.
 */
public final class Batch {
  /** A chunk and its events that can't be stored, while nobody has decided on them. */
  private record Part(Chunk chunk, List<RejectedEvent> refused) {}

  private final ArrayDeque<Part> parts;
  private final Map<String, Integer> skipped;

  private Batch(ArrayDeque<Part> parts, Map<String, Integer> skipped) {
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
    ArrayDeque<Part> parts = new ArrayDeque<>();
    Map<String, Integer> skipped = new HashMap<>();
    byTopic.forEach(
        (topic, gathering) -> {
          if (gathering.skipped > 0) {
            skipped.put(topic, gathering.skipped);
          }
          gathering.toPart(topic, scheme, hasher).ifPresent(parts::add);
        });
    return new Batch(parts, skipped);
  }

  /** Events passed over by a rule the user wrote, by topic; topics with none are absent. */
  public Map<String, Integer> skipped() {
    return skipped;
  }

  /** Chunks that are left, the one at hand included. */
  public int size() {
    return parts.size();
  }

  /** Whether a chunk is left. */
  public boolean hasNext() {
    return !parts.isEmpty();
  }

  /**
   * The chunk at hand, uncut.
   *
   * @throws NoSuchElementException where none is left
   */
  public Chunk head() {
    return part().chunk;
  }

  /**
   * The chunk at hand, cut first where it takes too many locks.
   *
   * @param maxLocks advisory locks its transaction may take, at least 1
   * @throws NoSuchElementException where none is left
   */
  public Chunk head(int maxLocks) {
    Part whole = part();
    List<Chunk> pieces = whole.chunk.split(maxLocks);
    if (pieces.size() > 1) {
      parts.remove();
      parts.push(new Part(pieces.get(1), List.of()));
      parts.push(new Part(pieces.get(0), whole.refused));
    }
    return pieces.get(0);
  }

  /** Events of the chunk at hand that can't be stored and on which nobody has decided. */
  public List<RejectedEvent> refused() {
    return part().refused;
  }

  /** Records that these events of the chunk at hand can't be stored. */
  public void refuse(List<RejectedEvent> events) {
    replaceHead(new Part(head(), List.copyOf(events)));
  }

  /** Records what was decided on the refused events: the chunk to write instead. */
  public void decide(Chunk instead) {
    replaceHead(new Part(instead, List.of()));
  }

  /** The chunk at hand is done; goes on to the next. */
  public void advance() {
    part();
    parts.remove();
  }

  private void replaceHead(Part part) {
    advance();
    parts.push(part);
  }

  private Part part() {
    Part part = parts.peek();
    if (part == null) {
      throw new NoSuchElementException("The batch has no further chunk.");
    }
    return part;
  }

  /** What is found of one topic while the events are read. */
  private static final class Gathering {
    private final Map<BusinessKey, List<Event>> byKey = new LinkedHashMap<>();
    private final List<RejectedEvent> refused = new ArrayList<>();
    private int skipped;

    void add(Event event, Reading reading) {
      if (reading instanceof Reading.Keyed keyed) {
        byKey.computeIfAbsent(keyed.key(), key -> new ArrayList<>(1)).add(event);
      } else if (reading instanceof Reading.Rejected rejected) {
        refused.add(RejectedEvent.unreadable(event, rejected.reason()));
      } else {
        skipped++;
      }
    }

    Optional<Part> toPart(String topic, LockScheme scheme, KeyHasher hasher) {
      if (byKey.isEmpty() && refused.isEmpty()) {
        return Optional.empty();
      }
      List<String> keys = new ArrayList<>(byKey.size());
      byKey.keySet().forEach(key -> keys.add(key.value()));
      int[] hashes = hasher.hash(keys);
      List<KeyGroup> groups = new ArrayList<>(keys.size());
      byKey.forEach((key, events) -> groups.add(new KeyGroup(key, hashes[groups.size()], events)));
      return Optional.of(
          new Part(Chunk.of(topic, scheme, groups, List.of()), List.copyOf(refused)));
    }
  }
}
