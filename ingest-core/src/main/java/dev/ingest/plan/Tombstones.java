package dev.ingest.plan;

import java.util.Objects;

/**
 * What a record without a value is taken for, before anything else is read of it. Without one of
 * these it is an event like any other, whose payload is NULL.
 */
public final class Tombstones {
  private static final Reading KEPT_ASIDE =
      new Reading.Rejected("the record is a tombstone, which ingest.tombstone=park keeps aside");

  private Tombstones() {}

  /** Passes them over. */
  public static EventReader skipped(EventReader others) {
    return apart(event -> new Reading.Skipped(), others);
  }

  /** Refuses them, so that they are kept as events that can't be stored. */
  public static EventReader refused(EventReader others) {
    return apart(event -> KEPT_ASIDE, others);
  }

  /** Takes them for orders to delete the row of their key. */
  public static EventReader deleting(EventReader others) {
    return EventReader.telling(true, apart(event -> deletion(others.read(event)), others));
  }

  private static Reading deletion(Reading reading) {
    return reading instanceof Reading.Keyed keyed
        ? new Reading.Keyed(keyed.key(), keyed.event().deletion())
        : reading;
  }

  private static EventReader apart(EventReader tombstones, EventReader others) {
    Objects.requireNonNull(others, "others");
    return EventReader.telling(
        others.deletes(),
        event -> event.value() == null ? tombstones.read(event) : others.read(event));
  }
}
