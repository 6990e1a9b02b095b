/**
 * The loop from source to store and its ports. Imports {@code plan} and {@code event}; knows
 * neither Kafka nor JDBC.
 */
@NullMarked
package dev.ingest.pipeline;

import org.jspecify.annotations.NullMarked;
