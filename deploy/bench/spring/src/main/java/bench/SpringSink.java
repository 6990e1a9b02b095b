package bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.transaction.support.TransactionTemplate;

/** A batch listener that writes with JdbcTemplate: offsets are committed after the transaction. */
public final class SpringSink {
  private SpringSink() {}

  public static void main(String[] arguments) throws InterruptedException {
    int consumers = Integer.parseInt(setting("CONSUMERS"));
    int batch = Integer.parseInt(setting("BATCH"));
    HikariDataSource pool = pool(consumers);
    JdbcTemplate jdbc = new JdbcTemplate(pool);
    TransactionTemplate transaction =
        new TransactionTemplate(new DataSourceTransactionManager(pool));
    String insert =
        "INSERT INTO %s (business_key, payload) VALUES (?, ?) ON CONFLICT DO NOTHING"
            .formatted(setting("TABLE"));

    ContainerProperties properties = new ContainerProperties(setting("TOPIC"));
    properties.setGroupId(setting("GROUP"));
    properties.setAckMode(ContainerProperties.AckMode.BATCH);
    properties.setMessageListener(
        (BatchMessageListener<String, String>)
            records ->
                transaction.executeWithoutResult(
                    status -> jdbc.batchUpdate(insert, rows(records))));
    ConcurrentMessageListenerContainer<String, String> container =
        new ConcurrentMessageListenerContainer<>(
            new DefaultKafkaConsumerFactory<>(kafka(batch)), properties);
    container.setConcurrency(consumers);
    container.start();
    Thread.currentThread().join();
  }

  private static List<Object[]> rows(List<ConsumerRecord<String, String>> records) {
    return records.stream().map(each -> new Object[] {each.key(), each.value()}).toList();
  }

  private static HikariDataSource pool(int size) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(setting("URL"));
    config.setUsername(setting("USER"));
    config.setPassword(setting("PASSWORD"));
    config.addDataSourceProperty("reWriteBatchedInserts", "true");
    config.setMaximumPoolSize(size);
    return new HikariDataSource(config);
  }

  private static Map<String, Object> kafka(int batch) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, setting("BOOTSTRAP"));
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, batch);
    settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
    settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
    return settings;
  }

  private static String setting(String name) {
    return System.getenv().getOrDefault("RIVAL_" + name, "");
  }
}
