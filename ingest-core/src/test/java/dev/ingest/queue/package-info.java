/** Tests of the work queue. */
@NullMarked
package dev.ingest.queue;

import org.jspecify.annotations.NullMarked;
