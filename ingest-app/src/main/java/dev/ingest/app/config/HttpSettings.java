package dev.ingest.app.config;

/**
 * Where health, metrics and console are served. Immutable.
 *
 * @param port 0 for a free one
 */
public record HttpSettings(boolean enabled, String host, int port) {}
