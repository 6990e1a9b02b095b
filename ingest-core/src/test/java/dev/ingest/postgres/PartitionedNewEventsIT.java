package dev.ingest.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.event.Event;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.mapping.WriteRules;
import dev.ingest.pipeline.EventWriter;
import dev.ingest.testkit.Events;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What commits with new events of a table partitioned by time, where locks alone keep keys apart.
 */
class PartitionedNewEventsIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  private static final Duration SOON = Duration.ofSeconds(60);

  private final TestDatabase database = POSTGRES.database();
  private final DayPartitions days = new DayPartitions(database);

  @BeforeAll
  static void parkedTable() {
    Schema.create(POSTGRES.database());
  }

  private EventWriter writer(TargetMapping mapping, OptionalInt budget) {
    return NewEventsIT.writer(database.dataSource(), mapping, budget, new NewEventsIT.Told());
  }

  @Test
  void keysThatComeAgainWithAnotherTimeAreToldOnceAlsoByTwoWritersAtOnce() {
    days.create(3);
    database.execute("CREATE TABLE app.told (event_key text, record_offset bigint)");
    TargetMapping mapping = DayPartitions.mapping(WriteRules.DEFAULT);
    List<Event> today = new ArrayList<>();
    List<Event> tomorrow = new ArrayList<>();
    Events events = Events.of("orders", 0);
    Events others = Events.of("orders", 1);
    for (String key : NewEventsIT.keys(0, 300)) {
      today.add(events.event(key, DayPartitions.payload(0)));
      tomorrow.add(others.event(key, DayPartitions.payload(1)));
    }
    today.add(events.event("no such day", DayPartitions.payload(7)));

    CompletableFuture<EventWriter.Result> background =
        CompletableFuture.supplyAsync(() -> writer(mapping, OptionalInt.of(40)).write(today, SOON));
    EventWriter.Result result = writer(mapping, OptionalInt.of(40)).write(tomorrow, SOON);
    EventWriter.Result again = writer(mapping, OptionalInt.empty()).write(tomorrow, SOON);

    assertThat(result.inserted() + background.join().inserted()).isEqualTo(300);
    assertThat(again).isEqualTo(new EventWriter.Result(0, 300, 0, 0));
    assertThat(background.join().parked()).isOne();
    assertThat(database.count("SELECT count(DISTINCT id) FROM app.t")).isEqualTo(days.count());
    assertThat(database.column("SELECT event_key FROM app.told ORDER BY 1"))
        .isEqualTo(database.column("SELECT id FROM app.t ORDER BY 1"))
        .hasSize(300);
  }
}
