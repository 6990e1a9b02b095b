package dev.ingest.postgres;

import static dev.ingest.postgres.DayPartitions.payload;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.event.Event;
import dev.ingest.mapping.ColumnMapping;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.plan.RejectedEvent;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One row for a value (I2) where a lock on its text is all that keeps a second one away. */
class KeyTextsIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private final TestDatabase database = POSTGRES.database();
  private final DayPartitions days = new DayPartitions(database);

  @BeforeAll
  static void parkedTable() {
    Schema.create(POSTGRES.database());
  }

  /** Each text has a lock of its own, so no writer would keep another from a second row. */
  @Test
  void keysThatDifferInFormAloneAreParkedAndNotStoredTwice() {
    Map<String, List<String>> shownAndOthers =
        Map.of(
            "uuid",
            List.of(
                "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
                "3F2504E0-4F89-11D3-9A0C-0305E82C3301",
                "{3f2504e0-4f89-11d3-9a0c-0305e82c3301}",
                "3f2504e04f8911d39a0c0305e82c3301"),
            "bigint",
            List.of("7", "07", " 7", "+7", "0x7"));
    shownAndOthers.forEach(
        (type, texts) -> {
          createKeyed(type);
          StoreDriver driver = days.driver();
          List<Event> events = new ArrayList<>();
          for (String text : texts) {
            events.add(driver.event(text, payload(events.size() % 2)));
          }

          StoreDriver.Sums sums = driver.write(events);

          assertThat(days.count()).as(type).isOne();
          assertThat(sums.inserted()).as(type).isOne();
          assertThat(sums.parked()).as(type).hasSize(texts.size() - 1);
          assertThat(sums.parked()).extracting(RejectedEvent::sqlState).containsOnly("22P02");
          assertThat(sums.parked()).extracting(RejectedEvent::column).containsOnly("id");
        });
  }

  @Test
  void keyColumnsWhoseValuesHaveSeveralTextsAreRefused() {
    createKeyed("numeric");

    assertThat(problems("key"))
        .containsExactly(
            "ingest.target.columns.id is part of a key that only locks keep apart, by its text, and"
                + " numeric has several texts for one value; use text, uuid or an integer type, or"
                + " create a unique index");
    database.execute(
        "CREATE COLLATION IF NOT EXISTS public.level2 (provider = icu, locale = 'und-u-ks-level2', deterministic = false)");
    createKeyed("text COLLATE public.level2");
    assertThat(problems("key"))
        .containsExactly(
            "ingest.target.columns.id is part of a key that only locks keep apart, by its text, and"
                + " its collation takes several texts for one; use a deterministic one, or create a"
                + " unique index");
  }

  /** Two keys have two locks, whatever the payload says. */
  @Test
  void keyColumnThatIsNotFilledFromTheKeyIsRefused() {
    createKeyed("text");

    assertThat(problems("key")).isEmpty();
    assertThat(problems("json:/id"))
        .containsExactly(
            "ingest.target.columns.id is all of a key that only locks on the key itself keep apart;"
                + " fill it from key, or create a unique index");
  }

  private List<String> problems(String source) {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put("id", source);
    columns.put("at", "json:/at");
    List<ColumnMapping> mappings = StoreDriver.mapping("app.t", columns).columns();
    return TargetCheck.problems(
        database.dataSource(),
        new TargetMapping("ingest.target.", "app.t", List.of("id"), mappings));
  }

  private void createKeyed(String type) {
    database.execute("DROP SCHEMA IF EXISTS app CASCADE");
    database.execute("CREATE SCHEMA app");
    database.execute(
        "CREATE TABLE app.t (id %s, at timestamptz, n integer, PRIMARY KEY (id, at)) PARTITION BY RANGE (at)"
            .formatted(type));
    days.attach(0);
    days.attach(1);
  }
}
