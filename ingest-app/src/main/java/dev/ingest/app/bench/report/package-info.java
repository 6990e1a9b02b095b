/**
 * What a measurement found, as a table, as JSON and as one page. Measurements and commands use it.
 */
@NullMarked
package dev.ingest.app.bench.report;

import org.jspecify.annotations.NullMarked;
