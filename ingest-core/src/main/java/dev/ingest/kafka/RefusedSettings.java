package dev.ingest.kafka;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import org.apache.kafka.common.KafkaException;

/** A Kafka client that could not be made: its settings are wrong, and no retry mends that. */
public final class RefusedSettings {
  private RefusedSettings() {}

  /** The client's innermost reason in our one line. */
  public static IngestException of(KafkaException refused) {
    Throwable reason = refused;
    while (reason.getCause() != null) {
      reason = reason.getCause();
    }
    return new IngestException(
        Code.CONFIG_INVALID,
        "the Kafka client refuses its settings: " + reason.getMessage() + ". Mend ingest.kafka.*",
        refused);
  }
}
