package dev.ingest.app.bench;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
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

  /** Writes records in the open transaction. */
  interface Writer {
    void write(List<ConsumerRecord<byte[], byte[]>> records) throws SQLException;
  }

  /** Makes a writer on its connection. */
  interface Writers {
    Writer on(Connection connection) throws SQLException;
  }

  static Measured run(Contestant contestant, Workload workload, Meter meter, Writers writers)
      throws InterruptedException {
    List<Thread> threads =
        IntStream.range(0, workload.consumers())
            .mapToObj(i -> new Thread(() -> loop(workload, meter, writers), "writer-" + i))
            .toList();
    threads.forEach(Thread::start);
    Measured measured = meter.await(contestant.title());
    for (Thread thread : threads) {
      thread.join();
    }
    return measured;
  }

  private static void loop(Workload workload, Meter meter, Writers writers) {
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings(workload));
        Connection connection = DriverManager.getConnection(workload.url(), "postgres", "")) {
      connection.setAutoCommit(false);
      Writer writer = writers.on(connection);
      consumer.subscribe(List.of(workload.topic()));
      while (!meter.isFinished()) {
        ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofMillis(100));
        if (polled.isEmpty()) {
          continue;
        }
        meter.polled();
        List<ConsumerRecord<byte[], byte[]>> records =
            polled.partitions().stream().flatMap(each -> polled.records(each).stream()).toList();
        writer.write(records);
        connection.commit();
        consumer.commitSync();
        meter.stored(records.size());
      }
    } catch (SQLException failed) {
      throw new IngestException(
          Code.STORE_FAILED, "a contestant failed, sqlstate=" + failed.getSQLState(), failed);
    }
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
