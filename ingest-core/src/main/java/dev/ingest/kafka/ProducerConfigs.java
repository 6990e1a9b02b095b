package dev.ingest.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The producer's settings: ours as defaults, the user's over them, the promise over both. */
final class ProducerConfigs {
  private ProducerConfigs() {}

  static Map<String, Object> of(Map<String, String> user) {
    Map<String, Object> config = new HashMap<>();
    // The topic decides what is too large, not the client.
    config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 64 << 20);
    config.putAll(user);
    config.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    // A broker that has just made the topic may refuse one request and take the next: the first is
    // out of sequence from then on.
    config.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    // The writing thread waits for the answer: these bound it.
    config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000);
    config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
    config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 20_000);
    config.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    config.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    return config;
  }
}
