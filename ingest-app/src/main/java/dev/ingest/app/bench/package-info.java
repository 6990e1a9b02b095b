/**
 * Measures the product beside other ways to do the same, in one run, interleaved. Here: what all
 * measurements share. Commands use it.
 */
@NullMarked
package dev.ingest.app.bench;

import org.jspecify.annotations.NullMarked;
