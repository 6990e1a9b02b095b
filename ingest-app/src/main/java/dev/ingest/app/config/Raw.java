package dev.ingest.app.config;

/**
 * The text that somebody gave for a key. Immutable.
 *
 * @param origin {@code ingest.yaml:12}, a variable's name, {@code --set}, or the key of the file
 *     that held the secret
 */
record Raw(String text, String origin) {}
