package dev.ingest.app.bench.pipeline;

import dev.ingest.app.bench.writers.Writer;
import dev.ingest.event.Event;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import dev.ingest.event.TopicPartition;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The plain loop that other ways to write share: poll, write in one transaction, commit offsets.
 */
final class HandWritten {
  private HandWritten() {}

  static Measured run(Workload workload, Meter meter, Writer.Maker writers)
      throws InterruptedException {
    List<Thread> threads =
        IntStream.range(0, workload.consumers())
            .mapToObj(i -> new Thread(() -> loop(workload, meter, writers), "writer-" + i))
            .toList();
    threads.forEach(Thread::start);
    Measured measured = meter.await();
    for (Thread thread : threads) {
      thread.join();
    }
    return measured;
  }

  private static void loop(Workload workload, Meter meter, Writer.Maker writers) {
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings(workload));
        Connection connection = workload.database().connect()) {
      connection.setAutoCommit(false);
      Writer writer = writers.on(connection);
      consumer.subscribe(List.of(workload.topic()));
      while (!meter.isFinished()) {
        ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofMillis(100));
        if (polled.isEmpty()) {
          continue;
        }
        meter.polled();
        writer.write(events(polled));
        connection.commit();
        writer.ended();
        consumer.commitSync();
        meter.stored(polled.count());
      }
    } catch (SQLException failed) {
      throw new IngestException(
          Code.STORE_FAILED, "a contestant failed, sqlstate=" + failed.getSQLState(), failed);
    }
  }

  private static List<Event> events(ConsumerRecords<byte[], byte[]> polled) {
    List<Event> events = new ArrayList<>(polled.count());
    for (ConsumerRecord<byte[], byte[]> each : polled) {
      TopicPartition partition = new TopicPartition(each.topic(), each.partition());
      events.add(
          new Event(
              partition, each.offset(), each.timestamp(), each.key(), each.value(), List.of()));
    }
    return events;
  }

  private static Map<String, Object> settings(Workload workload) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, workload.bootstrap());
    settings.put(ConsumerConfig.GROUP_ID_CONFIG, workload.group());
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, workload.batch());
    settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    return settings;
  }
}
