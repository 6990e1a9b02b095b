/**
 * A whole consumer group on one thread, from one seed: broker, database, clock and chance are
 * simulated, the pipeline is the real one. For test code only.
 */
@NullMarked
package dev.ingest.sim;

import org.jspecify.annotations.NullMarked;
