package dev.ingest.app.http;

/** Events of one topic since the start. Immutable. */
public record TopicCounts(
    long polled,
    long released,
    long inserted,
    long duplicates,
    long parked,
    long skipped,
    long deleted) {
  static final TopicCounts NONE = new TopicCounts(0, 0, 0, 0, 0, 0, 0);

  TopicCounts plus(TopicCounts other) {
    return new TopicCounts(
        polled + other.polled,
        released + other.released,
        inserted + other.inserted,
        duplicates + other.duplicates,
        parked + other.parked,
        skipped + other.skipped,
        deleted + other.deleted);
  }

  /** Events that are done. */
  public long done() {
    return inserted + duplicates + parked + skipped + deleted;
  }
}
