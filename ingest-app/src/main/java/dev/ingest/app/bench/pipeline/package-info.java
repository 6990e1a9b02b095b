/** Measures the way from a topic into a table. Commands use it. */
@NullMarked
package dev.ingest.app.bench.pipeline;

import org.jspecify.annotations.NullMarked;
