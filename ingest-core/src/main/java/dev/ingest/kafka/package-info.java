/**
 * Events from Apache Kafka; the only place for {@code org.apache.kafka}. Imports {@code pipeline}
 * and inward; only the app imports it.
 */
@NullMarked
package dev.ingest.kafka;

import org.jspecify.annotations.NullMarked;
