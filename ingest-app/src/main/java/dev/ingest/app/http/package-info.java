/**
 * What the program shows over HTTP: health, metrics, console. Knows the pipeline, neither Kafka nor
 * JDBC; only {@code cli} imports it.
 */
@NullMarked
package dev.ingest.app.http;

import org.jspecify.annotations.NullMarked;
