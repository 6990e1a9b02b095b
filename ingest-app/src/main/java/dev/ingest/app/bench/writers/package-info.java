/** Ways to write a batch of events that people write by hand. Measurements alone use it. */
@NullMarked
package dev.ingest.app.bench.writers;

import org.jspecify.annotations.NullMarked;
