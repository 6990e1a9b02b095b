package dev.ingest.kafka;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;

/** The consumer's settings: ours as defaults, the user's over them, the promise over both. */
final class ConsumerConfigs {
  private ConsumerConfigs() {}

  static Map<String, Object> of(String groupId, Map<String, String> user) {
    Map<String, Object> config = new HashMap<>();
    config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1000);
    // What one fetch may bring into the heap, for all partitions of one broker together; and what
    // one poll may make of it.
    config.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 8 << 20);
    config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 1 << 20);
    config.putAll(user);
    if (!usesConsumerProtocol(user)) {
      config.putIfAbsent(
          ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
          CooperativeStickyAssignor.class.getName());
    }
    config.put(ConsumerConfig.GROUP_ID_CONFIG, groupId);
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    return config;
  }

  private static boolean usesConsumerProtocol(Map<String, String> user) {
    String protocol = user.getOrDefault(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
    return protocol.toLowerCase(Locale.ROOT).equals("consumer");
  }
}
