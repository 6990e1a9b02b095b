package dev.ingest.plan;

import java.time.Instant;
import java.util.ArrayDeque;

/**
 * Counts events that could and could not be stored within a window, and says when the latter are
 * too many. From then on it holds to that until the events at hand alone keep the limit, however
 * few they are and however long that takes, or are done. Single-threaded.
 */
public final class BadShare {
  private static final int SLOTS = 12;

  private record Slot(long number, long good, long bad) {}

  private final ShareLimit limit;
  private final long slotMillis;
  private final ArrayDeque<Slot> slots = new ArrayDeque<>();
  private boolean exceeded;

  public BadShare(ShareLimit limit) {
    this.limit = limit;
    this.slotMillis = Math.max(1, limit.window().toMillis() / SLOTS);
  }

  /** Records events that are done. */
  public void done(long good, long bad, Instant now) {
    if (limit.share() >= 1) {
      return;
    }
    if (exceeded) {
      exceeded = false;
      slots.clear(); // what went wrong before is no guide to what goes right now
    }
    forgetBefore(now);
    Slot last = slots.peekLast();
    long number = number(now);
    if (last != null && last.number == number) {
      slots.removeLast();
      slots.add(new Slot(number, last.good + good, last.bad + bad));
    } else {
      slots.add(new Slot(number, good, bad));
    }
  }

  /**
   * Whether the bad ones among the events at hand may be kept, given what the window holds.
   *
   * @param events at hand, the bad ones included
   */
  public boolean allows(long bad, long events, Instant now) {
    if (limit.share() >= 1) {
      return true;
    }
    if (exceeded) {
      exceeded = bad > limit.share() * events;
      if (!exceeded) {
        slots.clear();
      }
      return !exceeded;
    }
    forgetBefore(now);
    long badInAll = bad + slots.stream().mapToLong(Slot::bad).sum();
    long inAll = events + slots.stream().mapToLong(slot -> slot.good + slot.bad).sum();
    exceeded = inAll >= limit.fewest() && badInAll > limit.share() * inAll;
    return !exceeded;
  }

  private void forgetBefore(Instant now) {
    long oldest = number(now) - SLOTS;
    while (!slots.isEmpty() && slots.element().number <= oldest) {
      slots.remove();
    }
  }

  private long number(Instant now) {
    return now.toEpochMilli() / slotMillis;
  }
}
