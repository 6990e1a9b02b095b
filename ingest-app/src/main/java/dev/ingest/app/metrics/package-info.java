/**
 * The registry of meters and what is measured of the process itself; only {@code cli} and {@code
 * run} import it.
 */
@NullMarked
package dev.ingest.app.metrics;

import org.jspecify.annotations.NullMarked;
