/** Measures what more processes bring. Commands use it. */
@NullMarked
package dev.ingest.app.bench.scale;

import org.jspecify.annotations.NullMarked;
