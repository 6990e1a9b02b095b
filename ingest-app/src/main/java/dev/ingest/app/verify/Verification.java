package dev.ingest.app.verify;

import dev.ingest.app.config.Topics;
import dev.ingest.app.verify.Report.Counts;
import dev.ingest.app.verify.Report.PartitionReport;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import dev.ingest.kafka.KafkaEvents;
import dev.ingest.plan.EventReader;
import dev.ingest.plan.Reading;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the topics up to where the group has committed and asks for every event whether its key is
 * in the target or the event is parked. Writes nothing, anywhere.
 */
public final class Verification {
  private static final int NAMED = 10;

  private final Topics topics;
  private final String group;
  private final EventReader reader;

  public Verification(Topics topics, String group, EventReader reader) {
    this.topics = topics;
    this.group = group;
    this.reader = reader;
  }

  /**
   * @param kafka settings of the Kafka clients
   * @param table the target, as SQL wants it
   * @param keyColumn its business key, as SQL wants it
   * @throws IngestException where a server can't be asked; a later call may do
   */
  public Report run(
      Map<String, String> kafka, DataSource database, String table, String keyColumn) {
    try (TopicLog log = new TopicLog(kafka);
        Target target = new Target(database, table, keyColumn)) {
      List<PartitionReport> partitions = new ArrayList<>();
      SortedMap<TopicPartition, TopicLog.Extent> extents = log.extents(topics, group);
      if (extents.isEmpty()) {
        throw new IngestException(
            Code.TOPIC_MISSING, "no topic matches ingest.source.topics; mend the setting.");
      }
      for (Map.Entry<TopicPartition, TopicLog.Extent> each : extents.entrySet()) {
        partitions.add(partition(log, target, each.getKey(), each.getValue()));
      }
      return new Report(partitions, target.keysTwice());
    } catch (SQLException failed) {
      throw unreadable(failed);
    } catch (KafkaException | ExecutionException | TimeoutException failed) {
      throw new IngestException(
          Code.KAFKA_UNAVAILABLE, "the topic can't be read: " + failed.getMessage(), failed);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IngestException(Code.KAFKA_UNAVAILABLE, "interrupted; run it again", stopped);
    }
  }

  /** Only the first line: later ones may quote a row. */
  private static IngestException unreadable(SQLException failed) {
    String reason = String.valueOf(failed.getMessage()).lines().findFirst().orElse("");
    return new IngestException(
        Code.POSTGRES_UNAVAILABLE,
        "the target can't be read, sqlstate="
            + failed.getSQLState()
            + " "
            + reason
            + " Check ingest.postgres.*, and that ingest migrate was run there.",
        failed);
  }

  private PartitionReport partition(
      TopicLog log, Target target, TopicPartition partition, TopicLog.Extent extent) {
    Tally tally = new Tally(target, partition);
    log.read(partition, extent.from(), extent.committed(), tally::add);
    return new PartitionReport(
        partition.topic(),
        partition.partition(),
        extent.from(),
        extent.committed(),
        extent.end(),
        tally.counts());
  }

  /** Sums up one partition. */
  private final class Tally {
    private final Target target;
    private final TopicPartition partition;
    private final List<Long> missingOffsets = new ArrayList<>();
    private long events;
    private long stored;
    private long parked;
    private long skipped;
    private long missing;

    Tally(Target target, TopicPartition partition) {
      this.target = target;
      this.partition = partition;
    }

    void add(List<ConsumerRecord<byte[], byte[]>> records) {
      List<String> keys = new ArrayList<>();
      List<Long> offsetsOfKeys = new ArrayList<>();
      List<Long> without = new ArrayList<>();
      for (ConsumerRecord<byte[], byte[]> record : records) {
        Reading reading = reader.read(KafkaEvents.of(record));
        if (reading instanceof Reading.Keyed keyed) {
          keys.add(keyed.key().value());
          offsetsOfKeys.add(record.offset());
        } else if (reading instanceof Reading.Skipped) {
          skipped++;
        } else {
          without.add(record.offset());
        }
      }
      events += records.size();
      look(keys, offsetsOfKeys, without);
    }

    private void look(List<String> keys, List<Long> offsetsOfKeys, List<Long> without) {
      try {
        BitSet lacking = target.missingKeys(keys);
        stored += keys.size() - lacking.cardinality();
        lacking.stream().forEach(i -> without.add(offsetsOfKeys.get(i)));
        if (without.isEmpty()) {
          return;
        }
        BitSet found = target.parked(partition.topic(), partition.partition(), without);
        parked += found.cardinality();
        missing += without.size() - found.cardinality();
        for (int i = found.nextClearBit(0); i < without.size(); i = found.nextClearBit(i + 1)) {
          if (missingOffsets.size() < NAMED) {
            missingOffsets.add(without.get(i));
          }
        }
      } catch (SQLException failed) {
        throw unreadable(failed);
      }
    }

    Counts counts() {
      return new Counts(events, stored, parked, skipped, missing, missingOffsets);
    }
  }
}
