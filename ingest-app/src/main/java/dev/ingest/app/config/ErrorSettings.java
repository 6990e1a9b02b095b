package dev.ingest.app.config;

/**
 * What becomes of events that cannot be stored. Immutable.
 *
 * @param deadLetterTopic empty unless {@code badEvent} is {@link BadEvent#DEAD_LETTER}
 * @param maxShare of events that can't be stored; above it writing pauses
 */
public record ErrorSettings(BadEvent badEvent, String deadLetterTopic, double maxShare) {

  /** The rule for an event that cannot be stored. */
  public enum BadEvent {
    /** Kept in {@code ingest.parked}. */
    PARK,
    /** Sent to a topic. */
    DEAD_LETTER,
    /** Stops its consumer. */
    STOP
  }
}
