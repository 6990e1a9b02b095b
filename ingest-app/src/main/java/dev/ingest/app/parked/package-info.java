/**
 * Parked events: what there is and why, and how they come back. Only {@code cli} and {@code run}
 * import it.
 */
@NullMarked
package dev.ingest.app.parked;

import org.jspecify.annotations.NullMarked;
