/**
 * Record values that are not plain JSON: Avro, Protobuf, change envelopes, and the schema registry
 * that says how to read them. {@code run} imports it.
 */
@NullMarked
package dev.ingest.app.format;

import org.jspecify.annotations.NullMarked;
