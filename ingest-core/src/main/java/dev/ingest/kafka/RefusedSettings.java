package dev.ingest.kafka;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Settings with which no Kafka client can be made; no retry mends that. */
public final class RefusedSettings {
  private RefusedSettings() {}

  /**
   * Reads the settings of a consumer as {@link KafkaEventSource} would, and connects to nothing.
   * What needs more than the settings themselves, such as a key store's file, is found when a
   * source is made.
   *
   * @throws IngestException where the client refuses them
   */
  public static void check(Map<String, String> kafka, String groupId) {
    try {
      Map<String, Object> settings = ConsumerConfigs.of(groupId, kafka);
      var unused = PollBytes.of(settings);
      settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
      settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
      var unusedToo = new ConsumerConfig(settings);
    } catch (KafkaException refused) {
      throw of(refused);
    }
  }

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
