/** Measures ways to store each key once, without Kafka. Commands use it. */
@NullMarked
package dev.ingest.app.bench.strategies;

import org.jspecify.annotations.NullMarked;
