/** Measures the product beside other ways to do the same, in one run, interleaved. */
@NullMarked
package dev.ingest.app.bench;

import org.jspecify.annotations.NullMarked;
