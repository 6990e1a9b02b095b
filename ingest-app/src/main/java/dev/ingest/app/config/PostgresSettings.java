package dev.ingest.app.config;

import java.time.Duration;

/**
 * How the database is reached, and the limits of our own sessions. Immutable.
 *
 * @param url JDBC address without user and password
 * @param password {@link Secret#NONE} where there is none
 * @param statementTimeout below {@code socketTimeout}
 */
public record PostgresSettings(
    String url,
    String user,
    Secret password,
    String applicationName,
    Duration connectTimeout,
    Duration statementTimeout,
    Duration idleInTransactionTimeout,
    Duration socketTimeout) {}
