package dev.ingest.pipeline;

import dev.ingest.event.TopicPartition;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What happened in the minute that runs. Thread-safe. */
final class MinuteSummary {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  // guarded by this
  private Instant since;
  private long inserted;
  private long duplicates;
  private long parked;
  private long skipped;
  private long deleted;
  private long retries;
  private final Map<TopicPartition, Long> lag = new HashMap<>();

  MinuteSummary(Instant since) {
    this.since = since;
  }

  synchronized void applied(WriteOutcome.Applied applied) {
    inserted += applied.inserted();
    duplicates += applied.duplicates();
    parked += applied.parked();
    deleted += applied.deleted();
  }

  synchronized void parked(int events) {
    parked += events;
  }

  synchronized void skipped(int events) {
    skipped += events;
  }

  synchronized void retried() {
    retries++;
  }

  synchronized void lag(Map<TopicPartition, Long> events) {
    lag.putAll(events);
  }

  synchronized void gone(Collection<TopicPartition> partitions) {
    partitions.forEach(lag::remove);
  }

  /** The summary where a minute is full; the next one begins then. */
  synchronized Optional<String> take(Instant now) {
    Duration took = Duration.between(since, now);
    if (took.compareTo(MINUTE) < 0) {
      return Optional.empty();
    }
    String text = text(took);
    since = now;
    inserted = 0;
    duplicates = 0;
    parked = 0;
    skipped = 0;
    deleted = 0;
    retries = 0;
    return Optional.of(text);
  }

  private String text(Duration took) {
    long done = inserted + duplicates + parked + skipped + deleted;
    return String.format(
        Locale.ROOT,
        "inserted=%d duplicates=%d parked=%d skipped=%d deleted=%d eventsPerSecond=%d lag=%d retries=%d",
        inserted,
        duplicates,
        parked,
        skipped,
        deleted,
        done * 1000 / took.toMillis(),
        lag.values().stream().mapToLong(Long::longValue).sum(),
        retries);
  }
}
