package dev.ingest.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.event.Event;
import dev.ingest.mapping.WriteRules;
import dev.ingest.mapping.WriteRules.MissingPartition;
import dev.ingest.mapping.WriteRules.Prefilter;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Duplicates use up no value of a sequence. */
class PrefilterIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private final TestDatabase database = POSTGRES.database();

  @BeforeAll
  static void parkedTable() {
    Schema.create(POSTGRES.database());
  }

  @BeforeEach
  void emptySchema() {
    database.execute("DROP SCHEMA IF EXISTS app CASCADE");
    database.execute("CREATE SCHEMA app");
    database.execute(
        "CREATE TABLE app.t (seq bigint GENERATED ALWAYS AS IDENTITY, id text COLLATE \"C\" UNIQUE)");
  }

  private StoreDriver driver(Prefilter prefilter) {
    return new StoreDriver(
        database.dataSource(),
        StoreDriver.mapping("app.t", Map.of("id", "key"))
            .with(new WriteRules(true, null, prefilter, MissingPartition.PARK)));
  }

  private static List<Event> events(StoreDriver driver, int count) {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      events.add(driver.event("key-" + i, "{}"));
    }
    return events;
  }

  private long sequence() {
    return database.count("SELECT last_value FROM app.t_seq_seq");
  }

  @Test
  void tenThousandEventsSentTwentyTimesMoveTheSequenceByTenThousand() {
    StoreDriver driver = driver(Prefilter.AUTO);
    int inserted = 0;
    int duplicates = 0;
    for (int time = 0; time < 20; time++) {
      StoreDriver.Sums sums = driver.write(events(driver, 10_000));
      inserted += sums.inserted();
      duplicates += sums.duplicates();
    }

    assertThat(inserted).isEqualTo(10_000);
    assertThat(duplicates).isEqualTo(190_000);
    assertThat(sequence()).isEqualTo(10_000);
    assertThat(database.count("SELECT max(seq) FROM app.t")).isEqualTo(10_000);
  }

  @Test
  void withoutItEachDuplicateBurnsAValue() {
    StoreDriver driver = driver(Prefilter.OFF);

    driver.write(events(driver, 100));
    driver.write(events(driver, 100));

    assertThat(sequence()).isEqualTo(200);
  }

  @Test
  void itIsOnWhereADefaultCallsNextval() {
    database.execute(
        """
        DROP TABLE app.t;
        CREATE SEQUENCE app.t_seq_seq;
        CREATE TABLE app.t (id text PRIMARY KEY, seq bigint DEFAULT nextval('app.t_seq_seq') + 0)
        """);
    StoreDriver driver = driver(Prefilter.AUTO);

    driver.write(events(driver, 100));
    driver.write(events(driver, 101));

    assertThat(sequence()).isEqualTo(101);
  }
}
