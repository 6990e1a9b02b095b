package dev.ingest.postgres;

import dev.ingest.mapping.TargetMapping;
import dev.ingest.mapping.WriteRules;
import dev.ingest.mapping.WriteRules.MissingPartition;
import dev.ingest.mapping.WriteRules.Prefilter;
import dev.ingest.testkit.TestDatabase;
import java.time.Duration;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Table {@code app.t (id, at, n)}, partitioned by day, whose primary key is (id, at). */
record DayPartitions(TestDatabase database) {
  static final LocalDate FIRST = LocalDate.of(2018, 1, 1);

  /** Makes the table anew with days from {@link #FIRST} on. */
  void create(int days) {
    database.execute("DROP SCHEMA IF EXISTS app CASCADE");
    database.execute("CREATE SCHEMA app");
    database.execute(
        "CREATE TABLE app.t (id text COLLATE \"C\", at timestamptz, n integer, PRIMARY KEY (id, at))"
            + " PARTITION BY RANGE (at)");
    for (int day = 0; day < days; day++) {
      attach(day);
    }
  }

  static String name(int day) {
    return "app.t" + day;
  }

  void attach(int day) {
    database.execute("CREATE TABLE %s (LIKE app.t INCLUDING ALL)".formatted(name(day)));
    database.execute(
        "ALTER TABLE app.t ATTACH PARTITION %s FOR VALUES FROM ('%s 00:00+00') TO ('%s 00:00+00')"
            .formatted(name(day), FIRST.plusDays(day), FIRST.plusDays(day + 1L)));
  }

  /** Takes a day out of the table, then drops it. */
  void drop(int day) {
    database.execute("ALTER TABLE app.t DETACH PARTITION " + name(day));
    database.execute("DROP TABLE " + name(day));
  }

  static String payload(int day) {
    return payload(day, "12:00");
  }

  /** An event's JSON whose time is on that day, from 0. */
  static String payload(int day, String time) {
    return "{\"at\":\"%sT%sZ\"}".formatted(FIRST.plusDays(day), time);
  }

  StoreDriver driver() {
    return driver(WriteRules.DEFAULT);
  }

  StoreDriver driver(@Nullable Duration window) {
    return driver(new WriteRules(true, window, Prefilter.AUTO, MissingPartition.PARK));
  }

  StoreDriver driver(WriteRules rules) {
    return new StoreDriver(database.dataSource(), mapping(rules));
  }

  static TargetMapping mapping(WriteRules rules) {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put("id", "key");
    columns.put("at", "json:/at");
    columns.put("n", "json:/n");
    return StoreDriver.mapping("app.t", columns).with(rules);
  }

  /** Rows as key and day. */
  List<@Nullable Object> rows() {
    return database.column(
        "SELECT id || ' ' || (at AT TIME ZONE 'UTC')::date FROM app.t ORDER BY id, at");
  }

  long count() {
    return database.count("SELECT count(*) FROM app.t");
  }
}
