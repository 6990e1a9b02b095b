package dev.ingest.app.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.app.cli.Arguments;
import dev.ingest.app.cli.Command;
import dev.ingest.app.cli.Group;
import dev.ingest.app.cli.Program;
import dev.ingest.app.schema.Migrations;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A constraint that refuses nearly every event is no fault of the events. */
class TooManyBadEventsIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  private static final int EVENTS = 300;

  @Test
  void writingPausesWithAnAlarmUntilTheConstraintIsGone(TestDatabase database, TestTopics topics)
      throws Exception {
    new Migrations(database.dataSource()).migrate();
    database.execute(
        "ALTER TABLE ingest.event ADD CONSTRAINT wrong CHECK (payload ->> 'unknown' IS NOT NULL)");
    String topic = topics.createTopic(1);
    topics.send(events(topic));
    Arguments arguments = Arguments.of(database, topics, topic);

    try (Program run = Program.start(96, arguments.of("run"))) {
      String alarm = run.awaitLine("too many events can't be stored");
      assertThat(alarm).contains("ERROR").contains("maxShare=0.5");
      assertThat(Meters.get(run, "/readyz")).contains("too many events can't be stored");
      assertThat(Meters.get(run, "/livez")).contains("\"status\":\"ok\"");
      assertThat(Meters.of(run).lines()).contains("ingest_paused 1.0");
      assertThat(database.count("SELECT count(*) FROM ingest.parked")).isZero();
      assertThat(topics.committedOffsets(topic, topic)).isEmpty();

      database.execute("ALTER TABLE ingest.event DROP CONSTRAINT wrong");
      new Group(topics, topic).awaitDone();
      run.awaitLine("writing resumed");

      assertThat(run.lines("too many events can't be stored")).hasSize(1);
      run.terminate();
      assertThat(run.awaitExit()).as(run.output()).isZero();
    }
    // What was refused in the moment before the constraint went may still be parked.
    long parked = database.count("SELECT count(*) FROM ingest.parked");
    assertThat(parked).isLessThanOrEqualTo(EVENTS / 2);
    assertThat(database.count("SELECT count(*) FROM ingest.event")).isEqualTo(EVENTS - parked);
    assertThat(Command.run(arguments.of("verify")).exitCode()).isZero();
  }

  private static List<ProducerRecord<byte[], byte[]>> events(String topic) {
    return IntStream.range(0, EVENTS)
        .mapToObj(
            i -> new ProducerRecord<>(topic, 0, ("key-" + i).getBytes(UTF_8), "{}".getBytes(UTF_8)))
        .toList();
  }
}
