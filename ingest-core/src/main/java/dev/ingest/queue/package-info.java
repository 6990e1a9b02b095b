/**
 * A work queue in PostgreSQL on {@code FOR UPDATE SKIP LOCKED}, usable on its own from any JDBC
 * code. Imports {@code plan} and {@code event}; only the app imports it.
 */
@NullMarked
package dev.ingest.queue;

import org.jspecify.annotations.NullMarked;
