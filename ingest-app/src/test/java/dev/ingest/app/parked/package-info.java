/** Tests of how parked events come back. */
@NullMarked
package dev.ingest.app.parked;

import org.jspecify.annotations.NullMarked;
