/** The process that {@code ingest run} and {@code ingest demo} start: consumers on one pool. */
@NullMarked
package dev.ingest.app.run;

import org.jspecify.annotations.NullMarked;
