/** Measures the work queue: sizes of claims, numbers of workers, locks, indexes, and wear. */
@NullMarked
package dev.ingest.app.bench.queue;

import org.jspecify.annotations.NullMarked;
