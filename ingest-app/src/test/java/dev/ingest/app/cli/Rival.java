package dev.ingest.app.cli;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** The smallest program that the benchmark can be told to measure, in a process of its own. */
final class Rival {
  private Rival() {}

  static String command() {
    return "'%s' %s"
        .formatted(
            String.join("' '", ChildJava.command("-Xmx96m", "-XX:TieredStopAtLevel=1")),
            Rival.class.getName());
  }

  public static void main(String[] arguments) throws Exception {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers", System.getenv("RIVAL_BOOTSTRAP"),
            "group.id", System.getenv("RIVAL_GROUP"),
            "auto.offset.reset", "earliest");
    StringDeserializer text = new StringDeserializer();
    try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings, text, text);
        Connection connection =
            DriverManager.getConnection(
                System.getenv("RIVAL_URL"),
                System.getenv("RIVAL_USER"),
                System.getenv("RIVAL_PASSWORD"));
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO %s (business_key, payload) VALUES (?, ?) ON CONFLICT DO NOTHING"
                    .formatted(System.getenv("RIVAL_TABLE")))) {
      consumer.subscribe(List.of(System.getenv("RIVAL_TOPIC")));
      while (true) {
        ConsumerRecords<String, String> polled = consumer.poll(Duration.ofMillis(100));
        for (ConsumerRecord<String, String> each : polled) {
          insert.setString(1, each.key());
          insert.setString(2, each.value());
          insert.executeUpdate();
        }
        consumer.commitSync();
      }
    }
  }
}
