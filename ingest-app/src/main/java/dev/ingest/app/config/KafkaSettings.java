package dev.ingest.app.config;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How the brokers are reached: names and values as the Kafka clients take them, {@code
 * bootstrap.servers} among them. May hold secrets, so {@link #toString} shows names alone.
 * Immutable.
 */
public record KafkaSettings(SortedMap<String, String> properties) {
  public KafkaSettings {
    properties = Collections.unmodifiableSortedMap(new TreeMap<>(properties));
  }

  @Override
  public String toString() {
    return "KafkaSettings" + properties.keySet();
  }
}
