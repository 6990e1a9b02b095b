/**
 * The store in PostgreSQL; beside the queue the only place for {@code java.sql}. Imports {@code
 * pipeline} and inward; only the app imports it.
 */
@NullMarked
package dev.ingest.postgres;

import org.jspecify.annotations.NullMarked;
