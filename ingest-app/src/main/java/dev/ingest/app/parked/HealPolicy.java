package dev.ingest.app.parked;

import java.time.Duration;
import java.util.List;

/**
 * Which parked events are tried again without being asked: those whose cause heals by itself, such
 * as a row that a foreign key refers to and that comes later. Immutable.
 *
 * @param sqlStates causes that heal
 * @param missingPartition whether "no partition of the table takes this row" heals
 * @param deletingRoutes routes on which an event without a value deletes a row: such an event is
 *     not tried by itself, as the row that is there by then may be a newer event's
 * @param maxAttempts tries in all; after them a person must look
 * @param firstDelay after the first try; it doubles with each
 * @param longestDelay between two tries
 */
public record HealPolicy(
    List<String> sqlStates,
    boolean missingPartition,
    List<String> deletingRoutes,
    int maxAttempts,
    Duration firstDelay,
    Duration longestDelay) {
  /** A row that a foreign key refers to is not there yet. */
  public static final String FOREIGN_KEY = "23503";

  public HealPolicy {
    sqlStates = List.copyOf(sqlStates);
    deletingRoutes = List.copyOf(deletingRoutes);
    if (maxAttempts < 1 || firstDelay.toSeconds() < 1 || longestDelay.compareTo(firstDelay) < 0) {
      throw new IllegalArgumentException(
          "maxAttempts="
              + maxAttempts
              + " firstDelay="
              + firstDelay
              + " longestDelay="
              + longestDelay);
    }
  }

  /** Whether anything heals. */
  public boolean isActive() {
    return missingPartition || !sqlStates.isEmpty();
  }
}
