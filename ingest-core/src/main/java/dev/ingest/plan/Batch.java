package dev.ingest.plan;

import dev.ingest.event.BusinessKey;
import dev.ingest.event.Event;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import dev.ingest.event.TopicPartition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The events gathered for one round of writing, grouped by route, topic and key and sorted by hash,
 * as a queue of chunks. The chunk at its head is the one at hand; it shrinks when fewer locks may
 * be taken, and what was decided on its events stays decided. Single-threaded.
 */
public final class Batch {
  /** A chunk and its events that can't be stored, while nobody has decided on them. */
  private record Part(Chunk chunk, List<RejectedEvent> refused) {
    Part outside(Set<TopicPartition> partitions) {
      return new Part(
          chunk.outside(partitions),
          refused.stream().filter(each -> !partitions.contains(each.event().partition())).toList());
    }

    int events() {
      return chunk.storable() + chunk.parked().size() + chunk.keyless(refused).size();
    }
  }

  private final ArrayDeque<Part> parts;
  private final List<Count> skipped;

  /** How many events of a topic on a route. */
  public record Count(String route, String topic, int events) {
    private boolean isOf(Chunk chunk) {
      return route.equals(chunk.route()) && topic.equals(chunk.topic());
    }
  }

  /** Events that can't be stored, and all of which they are a part. */
  public record Share(int bad, int events) {}

  private Batch(ArrayDeque<Part> parts, List<Count> skipped) {
    this.parts = parts;
    this.skipped = List.copyOf(skipped);
  }

  /** Plans events that all go the same way. */
  public static Batch of(
      List<Event> events, LockScheme scheme, EventReader reader, KeyHasher hasher) {
    return of(events, scheme, Routes.single(reader), hasher);
  }

  /**
   * Plans events in the order they were polled. Whatever a reader or {@code hasher} throws passes
   * through; no state is kept then, and the call may be made again.
   *
   * @throws IngestException where no route takes a topic, or an event was read as an order to
   *     delete a row on a route that {@linkplain EventReader#deletes deletes} none
   */
  public static Batch of(List<Event> events, LockScheme scheme, Routes routes, KeyHasher hasher) {
    Map<String, List<Gathering>> byTopic = new LinkedHashMap<>();
    for (Event event : events) {
      List<Gathering> ways =
          byTopic.computeIfAbsent(event.partition().topic(), topic -> gatherings(routes, topic));
      for (Gathering way : ways) {
        way.add(event);
      }
    }
    ArrayDeque<Part> parts = new ArrayDeque<>();
    List<Count> skipped = new ArrayList<>();
    byTopic.values().stream()
        .flatMap(List::stream)
        .forEach(
            gathering -> {
              gathering.skipped().ifPresent(skipped::add);
              gathering.toPart(scheme, hasher).ifPresent(parts::add);
            });
    return new Batch(parts, skipped);
  }

  private static List<Gathering> gatherings(Routes routes, String topic) {
    List<Gathering> ways =
        routes.of(topic).stream().map(route -> new Gathering(route, topic)).toList();
    if (ways.isEmpty()) {
      throw new IngestException(
          Code.CONFIG_INVALID,
          "no route takes topic "
              + topic
              + "; nothing of it is lost. Add it to ingest.routes.NAME.topics, or leave it out of"
              + " ingest.source.topics, and start again.");
    }
    return ways;
  }

  /** Events passed over by a rule the user wrote. */
  public List<Count> skipped() {
    return skipped;
  }

  /**
   * Lets go of the events of some partitions that are not written so far, on some of the routes. A
   * chunk may be left empty.
   *
   * @param routes by name
   * @return how many they were
   */
  public List<Count> letGo(Set<TopicPartition> partitions, Predicate<String> routes) {
    List<Count> gone = new ArrayList<>();
    for (int left = parts.size(); left > 0; left--) {
      Part part = parts.remove();
      Chunk chunk = part.chunk;
      Part kept = routes.test(chunk.route()) ? part.outside(partitions) : part;
      if (kept.events() < part.events()) {
        add(gone, chunk, part.events() - kept.events());
      }
      parts.add(kept);
    }
    return gone;
  }

  /** A topic on a route may be in several chunks. */
  private static void add(List<Count> counts, Chunk chunk, int events) {
    int before =
        counts.stream()
            .filter(each -> each.isOf(chunk))
            .mapToInt(Count::events)
            .findAny()
            .orElse(0);
    counts.removeIf(each -> each.isOf(chunk));
    counts.add(new Count(chunk.route(), chunk.topic(), before + events));
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

  /**
   * Events of the chunk at hand that can't be stored, those to park included, of all its events.
   */
  public Share share() {
    Part part = part();
    return new Share(part.refused.size() + part.chunk.parked().size(), part.events());
  }

  /** Takes back what was decided on the chunk at hand: what had a key is to be tried again. */
  public void undecide() {
    Part part = part();
    List<RejectedEvent> rejected = new ArrayList<>(part.chunk.parked());
    rejected.addAll(part.refused);
    replaceHead(new Part(part.chunk.undecided(), part.chunk.keyless(rejected)));
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

  /** What is found of one topic on one route while the events are read. */
  private static final class Gathering {
    private final Route route;
    private final String topic;
    private final Map<BusinessKey, List<Event>> byKey = new LinkedHashMap<>();
    private final List<RejectedEvent> refused = new ArrayList<>();
    private int passedOver;

    Gathering(Route route, String topic) {
      this.route = route;
      this.topic = topic;
    }

    void add(Event event) {
      if (event.isReference()) {
        refused.add(RejectedEvent.tooLarge(event));
        return;
      }
      Reading reading = route.reader().read(event);
      if (reading instanceof Reading.Keyed keyed) {
        requireTold(keyed.event());
        byKey.computeIfAbsent(keyed.key(), key -> new ArrayList<>(1)).add(keyed.event());
      } else if (reading instanceof Reading.Rejected rejected) {
        refused.add(RejectedEvent.unreadable(event, rejected.reason()));
      } else {
        passedOver++;
      }
    }

    /** Where none is told of, the order of a topic is not kept. */
    private void requireTold(Event event) {
      if (event.isDeletion() && !route.reader().deletes()) {
        throw new IngestException(
            Code.CONFIG_INVALID,
            "an event was read as an order to delete a row, route="
                + route.name()
                + " topic="
                + topic
                + " partition="
                + event.partition().partition()
                + " offset="
                + event.offset()
                + ", but the route's reader says that it deletes none; nothing is lost. Let its"
                + " deletes() be true, as that of Tombstones.deleting is, and start again.");
      }
    }

    Optional<Count> skipped() {
      return passedOver == 0
          ? Optional.empty()
          : Optional.of(new Count(route.name(), topic, passedOver));
    }

    Optional<Part> toPart(LockScheme scheme, KeyHasher hasher) {
      if (byKey.isEmpty() && refused.isEmpty()) {
        return Optional.empty();
      }
      List<String> keys = new ArrayList<>(byKey.size());
      byKey.keySet().forEach(key -> keys.add(key.value()));
      int[] hashes = hasher.hash(keys);
      List<KeyGroup> groups = new ArrayList<>(keys.size());
      byKey.forEach((key, events) -> groups.add(new KeyGroup(key, hashes[groups.size()], events)));
      return Optional.of(
          new Part(Chunk.of(route.name(), topic, scheme, groups, List.of()), List.copyOf(refused)));
    }
  }
}
