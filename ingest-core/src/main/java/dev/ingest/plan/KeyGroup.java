package dev.ingest.plan;

import dev.ingest.event.BusinessKey;
import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The events of one batch that share a business key, in the order they were polled. The first is
 * the one to store; the others are repeats of it, unless it turns out to be a bad event: then the
 * next takes its place. Where there are deletions among them, the row that is there goes, and what
 * comes after the last deletion counts alone. Immutable.
 */
public final class KeyGroup implements Comparable<KeyGroup> {
  private final BusinessKey key;
  private final int hash;
  private final List<Event> events;

  /** Where the last deletion is among the events, -1 where there is none. */
  private final int lastDeletion;

  KeyGroup(BusinessKey key, int hash, List<Event> events) {
    if (events.isEmpty()) {
      throw new IllegalArgumentException("A key group has at least one event.");
    }
    this.key = key;
    this.hash = hash;
    this.events = List.copyOf(events);
    this.lastDeletion = lastDeletion(this.events);
  }

  /** One event alone, of which no hash is asked. */
  public static KeyGroup unhashed(Reading.Keyed keyed) {
    return new KeyGroup(keyed.key(), 0, List.of(keyed.event()));
  }

  public BusinessKey key() {
    return key;
  }

  /** PostgreSQL's {@code hashtext} of the key, signed. */
  public int hash() {
    return hash;
  }

  private static int lastDeletion(List<Event> events) {
    for (int i = events.size() - 1; i >= 0; i--) {
      if (events.get(i).isDeletion()) {
        return i;
      }
    }
    return -1;
  }

  /** Whether a row that is there is to go first. */
  public boolean deletes() {
    return lastDeletion >= 0;
  }

  /** Whether the key has a row in the end. */
  public boolean stores() {
    return lastDeletion < events.size() - 1;
  }

  /**
   * The event to store: the first after the last deletion.
   *
   * @throws IndexOutOfBoundsException where the group {@link #stores} nothing
   */
  public Event first() {
    return events.get(lastDeletion + 1);
  }

  /**
   * The event for which a row goes.
   *
   * @throws IndexOutOfBoundsException where the group {@link #deletes} nothing
   */
  public Event deletion() {
    return events.get(lastDeletion);
  }

  /** The same key with its last deletion alone, where it has one. */
  public KeyGroup deletionAlone() {
    return new KeyGroup(key, hash, List.of(deletion()));
  }

  /** All events of this key, in the order they were polled. */
  public List<Event> events() {
    return events;
  }

  /** This group without the events on which it was tried and refused; empty where none is left. */
  Optional<KeyGroup> without(Set<Event> rejected) {
    List<Event> rest = new ArrayList<>(events);
    if (stores() && rejected.contains(first())) {
      rest.remove(first());
    }
    if (deletes() && rejected.contains(deletion())) {
      rest.remove(deletion());
    }
    return reduced(rest);
  }

  /** This group without the events of these partitions; empty where none is left. */
  Optional<KeyGroup> outside(Set<TopicPartition> partitions) {
    return reduced(
        events.stream().filter(event -> !partitions.contains(event.partition())).toList());
  }

  private Optional<KeyGroup> reduced(List<Event> rest) {
    if (rest.size() == events.size()) {
      return Optional.of(this);
    }
    return rest.isEmpty() ? Optional.empty() : Optional.of(new KeyGroup(key, hash, rest));
  }

  /** Ascending by signed hash; keys that share a hash by their text, so that the order is total. */
  @Override
  public int compareTo(KeyGroup other) {
    int byHash = Integer.compare(hash, other.hash);
    return byHash != 0 ? byHash : key.value().compareTo(other.key.value());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyGroup that && hash == that.hash && key.equals(that.key);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
