package dev.ingest.app.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.app.cli.Arguments;
import dev.ingest.app.cli.Group;
import dev.ingest.app.config.Concern;
import dev.ingest.app.config.Config;
import dev.ingest.app.config.SettingSources;
import dev.ingest.app.run.Counts;
import dev.ingest.app.run.IngestProcess;
import dev.ingest.app.schema.Migrations;
import dev.ingest.pipeline.IngestConsumer;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Somebody in the same process holds every connection of the pool (I8). */
class StarvedPoolIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  @Test
  void writersPauseUntilConnectionsComeBack(TestDatabase database, TestTopics topics)
      throws Exception {
    new Migrations(database.dataSource()).migrate();
    String topic = topics.createTopic(2);
    Arguments arguments =
        Arguments.of(database, topics, topic)
            .with("ingest.source.consumers", "2")
            .with("ingest.postgres.connect-timeout", "1s");
    Config config =
        Config.load(SettingSources.only(arguments.assignments()), EnumSet.allOf(Concern.class));
    Counts counts = new Counts();
    try (IngestProcess process = IngestProcess.create(config, counts);
        Load load = new Load(topics, topic, 2, ThreadLocalRandom.current().nextLong())) {
      process.start();
      load.go();
      await("rows").atMost(Trial.RECOVERY).until(() -> counts.snapshot().inserted() > 500);

      List<Connection> taken = takeAll(process);
      await("pause")
          .atMost(Trial.RECOVERY)
          .until(() -> process.consumers().stream().allMatch(IngestConsumer::isPaused));
      for (Connection each : taken) {
        each.close();
      }
      load.halt();
      new Group(topics, topic).awaitDone();

      Counts.Snapshot sum = counts.snapshot();
      assertThat(sum.done()).isEqualTo(sum.polled()).isEqualTo(load.records());
      assertThat(sum.inserted()).isEqualTo(load.keys());
      assertThat(sum.parked()).isZero();
      assertThat(database.count("SELECT count(*) FROM ingest.event")).isEqualTo(load.keys());
    }
  }

  private static List<Connection> takeAll(IngestProcess process) throws Exception {
    List<Connection> taken = new ArrayList<>();
    while (taken.size() < process.pool().getMaximumPoolSize()) {
      taken.add(process.pool().getConnection());
    }
    return taken;
  }
}
