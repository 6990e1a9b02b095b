package dev.ingest.app.verify;

import dev.ingest.app.config.Topics;
import dev.ingest.app.verify.Report.PartitionReport;
import dev.ingest.event.Event;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import dev.ingest.event.TopicPartition;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.plan.Route;
import dev.ingest.plan.Routes;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ExecutionException;
import javax.sql.DataSource;
import org.apache.kafka.common.KafkaException;

/**
 * Reads the topics up to where the group has committed and asks for every event, on each of its
 * routes, whether its row is in the target or the event is parked or dead-lettered. Writes nothing,
 * anywhere. Holds one portion of events in memory, and a bit for each dead letter. Immutable.
 */
public final class Verification {
  private final Topics topics;
  private final String group;
  private final Routes routes;
  private final Map<String, TargetMapping> targets;
  private final Optional<String> deadLetters;

  /**
   * @param targets by name of the route
   * @param deadLetters the topic where events go that can't be stored
   */
  public Verification(
      Topics topics,
      String group,
      Routes routes,
      Map<String, TargetMapping> targets,
      Optional<String> deadLetters) {
    this.topics = topics;
    this.group = group;
    this.routes = routes;
    this.targets = Map.copyOf(targets);
    this.deadLetters = Objects.requireNonNull(deadLetters, "deadLetters");
  }

  /**
   * @param kafka settings of the Kafka clients
   * @throws IngestException where a server can't be asked; a later call may do
   */
  public Report run(Map<String, String> kafka, DataSource database) {
    try (TopicLog log = new TopicLog(kafka);
        Target target = new Target(database, targets)) {
      List<PartitionReport> partitions = new ArrayList<>();
      SortedMap<TopicPartition, TopicLog.Extent> extents = log.extents(topics, group);
      if (extents.isEmpty()) {
        throw new IngestException(
            Code.TOPIC_MISSING, "no topic matches ingest.source.topics; mend the setting.");
      }
      // After the extents: letters are in their topic before an offset moves past their events.
      Letters letters =
          deadLetters.isPresent() ? log.letters(deadLetters.get(), group) : new Letters();
      for (Map.Entry<TopicPartition, TopicLog.Extent> each : extents.entrySet()) {
        List<Tally> ways = ways(target, letters, each.getKey());
        log.read(
            each.getKey(),
            each.getValue().from(),
            each.getValue().committed(),
            portion -> add(ways, portion));
        ways.forEach(way -> partitions.add(report(each.getKey(), each.getValue(), way)));
      }
      return new Report(partitions, target.keysTwice());
    } catch (SQLException failed) {
      throw unreadable(failed);
    } catch (KafkaException | ExecutionException failed) {
      throw new IngestException(
          Code.KAFKA_UNAVAILABLE, "the topic can't be read: " + failed.getMessage(), failed);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IngestException(Code.KAFKA_UNAVAILABLE, "interrupted; run it again", stopped);
    }
  }

  private List<Tally> ways(Target target, Letters letters, TopicPartition partition) {
    List<Route> ways = routes.of(partition.topic());
    if (ways.isEmpty()) {
      throw new IngestException(
          Code.CONFIG_INVALID,
          "no route takes topic "
              + partition.topic()
              + "; add it to ingest.routes.NAME.topics, or leave it out of ingest.source.topics.");
    }
    return ways.stream()
        .map(way -> new Tally(target, letters, partition, way, ways.size() == 1))
        .toList();
  }

  private static void add(List<Tally> ways, List<Event> portion) {
    try {
      for (Tally way : ways) {
        way.add(portion);
      }
    } catch (SQLException failed) {
      throw unreadable(failed);
    }
  }

  private static PartitionReport report(
      TopicPartition partition, TopicLog.Extent extent, Tally tally) {
    return new PartitionReport(
        partition.topic(),
        partition.partition(),
        tally.route(),
        extent.from(),
        extent.committed(),
        extent.end(),
        tally.counts());
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
}
