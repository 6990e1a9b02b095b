package dev.ingest.app.parked;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Parked events that are there for the same reason. Immutable.
 *
 * @param sqlState of the last try, null where the event was refused before any SQL
 * @param reason of the last try; holds no row value
 * @param mostAttempts of the one that was tried most often
 */
public record ParkedCause(
    String topic,
    String route,
    String status,
    @Nullable String sqlState,
    @Nullable String constraint,
    @Nullable String column,
    String reason,
    long events,
    int mostAttempts,
    Instant firstParked,
    Instant lastParked) {}
