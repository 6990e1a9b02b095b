package dev.ingest.app.parked;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which parked events are meant: those that match everything that is not null. Immutable.
 *
 * @param sqlState of the last try
 * @param constraint of the last try
 * @param since last parked at or after
 * @param until last parked before
 * @param maxAttempts tried fewer times than this
 * @param statuses any of them
 */
public record ParkedFilter(
    @Nullable String topic,
    @Nullable Integer partition,
    @Nullable Long offset,
    @Nullable String route,
    @Nullable String sqlState,
    @Nullable String constraint,
    @Nullable Instant since,
    @Nullable Instant until,
    @Nullable Integer maxAttempts,
    List<String> statuses) {
  public static final String PARKED = "parked";
  public static final String STORED = "stored";
  public static final String DISCARDED = "discarded";

  public ParkedFilter {
    statuses = List.copyOf(statuses);
  }

  /** Every event that is still parked. */
  public static ParkedFilter all() {
    return new ParkedFilter(null, null, null, null, null, null, null, null, null, List.of(PARKED));
  }

  /** Whether it means every event of its statuses. */
  public boolean isOpen() {
    return topic == null
        && partition == null
        && offset == null
        && route == null
        && sqlState == null
        && constraint == null
        && since == null
        && until == null;
  }

  /** Of these only those that were tried fewer times. */
  public ParkedFilter triedLessThan(int attempts) {
    return new ParkedFilter(
        topic, partition, offset, route, sqlState, constraint, since, until, attempts, statuses);
  }

  /** The same events, of other statuses. */
  public ParkedFilter of(String... changed) {
    return new ParkedFilter(
        topic,
        partition,
        offset,
        route,
        sqlState,
        constraint,
        since,
        until,
        maxAttempts,
        List.of(Objects.requireNonNull(changed)));
  }
}
