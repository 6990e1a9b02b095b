package dev.ingest.app.config;

/**
 * What is read from Kafka. Immutable.
 *
 * @param consumers in this process, at least 1
 * @param start where a group without committed offsets begins
 */
public record SourceSettings(Topics topics, String groupId, int consumers, Start start) {

  /** The end of the topic at which a new group begins. */
  public enum Start {
    EARLIEST,
    LATEST
  }
}
