/**
 * The database schema {@code ingest}: brought up to date, or checked. Commands may import it; the
 * pipeline never does.
 */
@NullMarked
package dev.ingest.app.schema;

import org.jspecify.annotations.NullMarked;
