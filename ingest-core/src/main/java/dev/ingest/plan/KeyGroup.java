package dev.ingest.plan;

import dev.ingest.event.BusinessKey;
import dev.ingest.event.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The events of one batch that share a business key, in the order they were polled. The first is
 * the one to store; the others are repeats of it, unless it turns out to be a bad event: then the
 * next takes its place. Immutable.
 */
public final class KeyGroup implements Comparable<KeyGroup> {
  private final BusinessKey key;
  private final int hash;
  private final List<Event> events;

  KeyGroup(BusinessKey key, int hash, List<Event> events) {
    if (events.isEmpty()) {
      throw new IllegalArgumentException("A key group has at least one event.");
    }
    this.key = key;
    this.hash = hash;
    this.events = List.copyOf(events);
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

  /** The event to store. */
  public Event first() {
    return events.get(0);
  }

  /** All events of this key, the one to store first. */
  public List<Event> events() {
    return events;
  }

  /** This group without one event; empty where it was the only one. */
  Optional<KeyGroup> without(Event rejected) {
    if (events.size() == 1) {
      return Optional.empty();
    }
    List<Event> rest = new ArrayList<>(events);
    rest.remove(rejected);
    return Optional.of(new KeyGroup(key, hash, rest));
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
