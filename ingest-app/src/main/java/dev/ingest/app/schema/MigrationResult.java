package dev.ingest.app.schema;

import java.time.Duration;

/**
 * What a migration did. Immutable.
 *
 * @param version of the schema now
 * @param applied migrations applied by this call; 0 where another process did it or nothing was to
 *     do
 * @param took the waiting included
 */
public record MigrationResult(int version, int applied, Duration took) {}
