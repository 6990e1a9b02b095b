package dev.ingest.app.parked;

import dev.ingest.event.Event;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A parked event with its history. Immutable.
 *
 * @param event as it was read, byte for byte; without a value where the record stays in Kafka
 * @param size of the record in bytes
 * @param inKafka the record was too large to be kept here: this row only refers to it
 */
public record ParkedEvent(
    ParkedPosition position,
    Event event,
    long size,
    boolean inKafka,
    String status,
    int attempts,
    @Nullable String firstSqlState,
    String firstReason,
    @Nullable String lastSqlState,
    String lastReason,
    @Nullable String constraint,
    @Nullable String column,
    Instant firstParked,
    Instant lastParked) {}
