package dev.ingest.app.bench.strategies;

import dev.ingest.app.bench.writers.ProbeThenCopy;
import dev.ingest.mapping.ColumnMapping;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.mapping.WriteRules;
import dev.ingest.mapping.WriteRules.MissingPartition;
import dev.ingest.mapping.WriteRules.Prefilter;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A table to write to. The events' time is the first moment of 1970, so in a table of days all of
 * them go to the last one. Immutable.
 *
 * @param columns what fills each; the key comes first
 * @param make statements that make and fill it
 * @param reset statements that bring it back to that before each run
 * @param partitions 0 where it is in one piece
 */
record ProbedTable(
    String title,
    String name,
    Map<String, String> columns,
    List<String> make,
    List<String> reset,
    int partitions) {
  static final Duration WINDOW = Duration.ofDays(7);

  private static final LocalDate TODAY = LocalDate.EPOCH;
  private static final String NAME = "app.reading";
  private static final String DROP = "DROP SCHEMA IF EXISTS app CASCADE";

  ProbedTable {
    columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
    make = List.copyOf(make);
    reset = List.copyOf(reset);
  }

  /** The default table, whose unique index finds duplicates by itself. */
  static ProbedTable event() {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put("business_key", "key");
    columns.put("topic", "topic");
    columns.put("partition", "partition");
    columns.put("record_offset", "offset");
    columns.put("event_time", "timestamp");
    columns.put("payload", "payload");
    return new ProbedTable(
        "default table",
        "ingest.event",
        columns,
        List.of("ALTER TABLE ingest.event SET (autovacuum_enabled = false)"),
        List.of("TRUNCATE ingest.event"),
        0);
  }

  /** Six typed columns and an identity column, so that keys are looked for first. */
  static ProbedTable typed() {
    return new ProbedTable(
        "six typed columns, identity",
        NAME,
        typedColumns(),
        List.of(
            DROP,
            "CREATE SCHEMA app",
            """
            CREATE TABLE app.reading (
              seq bigint GENERATED ALWAYS AS IDENTITY, id text COLLATE "C" PRIMARY KEY, at timestamptz,
              device text, celsius numeric, sequence bigint, humidity double precision)
            WITH (autovacuum_enabled = false)
            """),
        List.of("TRUNCATE app.reading"),
        0);
  }

  private static Map<String, String> typedColumns() {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put("id", "key");
    columns.put("at", "timestamp");
    columns.put("device", "json:/device");
    columns.put("celsius", "json:/celsius");
    columns.put("sequence", "json:/sequence");
    columns.put("humidity", "json:/humidity");
    return columns;
  }

  /**
   * Partitioned by day, with a primary key of key and time: only locks keep keys apart.
   *
   * @param rows in each partition before a run
   */
  static ProbedTable days(int partitions, int rows) {
    List<String> make = new ArrayList<>();
    make.add(DROP);
    make.add("CREATE SCHEMA app");
    make.add(
        """
        CREATE TABLE app.reading (
          id text COLLATE "C", at timestamptz, device text, celsius numeric, sequence bigint,
          humidity double precision, PRIMARY KEY (id, at)) PARTITION BY RANGE (at)
        """);
    for (int day = 0; day < partitions; day++) {
      String partition = "app.day" + day;
      make.add(
          "CREATE TABLE %s PARTITION OF app.reading FOR VALUES FROM ('%s 00:00+00') TO ('%s 00:00+00') WITH (autovacuum_enabled = false)"
              .formatted(partition, TODAY.minusDays(day), TODAY.minusDays(day - 1L)));
      if (day > 0) {
        make.add(fill(partition, day, rows));
      }
    }
    make.add("VACUUM ANALYZE app.reading");
    return new ProbedTable(
        String.format(
            Locale.ROOT, "%d %s of %,d rows", partitions, partitions == 1 ? "day" : "days", rows),
        NAME,
        typedColumns(),
        make,
        List.of("TRUNCATE app.day0", fill("app.day0", 0, rows), "VACUUM ANALYZE app.day0"),
        partitions);
  }

  private static String fill(String partition, int day, int rows) {
    return """
        INSERT INTO %s SELECT gen_random_uuid()::text, '%s 00:00+00', 'sensor', 21.5, i, 41.5
        FROM generate_series(1, %d) AS i
        """
        .formatted(partition, TODAY.minusDays(day), rows);
  }

  TargetMapping mapping(boolean windowed) {
    List<ColumnMapping> mapped = new ArrayList<>();
    columns.forEach((column, source) -> mapped.add(ColumnMapping.parse(column, source)));
    return new TargetMapping("ingest.target.", name, List.of(), mapped)
        .with(
            new WriteRules(true, windowed ? WINDOW : null, Prefilter.AUTO, MissingPartition.PARK));
  }

  ProbeThenCopy.Table copied(boolean windowed) {
    return new ProbeThenCopy.Table(name, columns, windowed ? WINDOW : Duration.ZERO);
  }
}
