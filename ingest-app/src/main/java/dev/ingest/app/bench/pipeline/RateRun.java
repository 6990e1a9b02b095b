package dev.ingest.app.bench.pipeline;

import dev.ingest.app.bench.BenchClock;
import dev.ingest.app.bench.BenchFailure;
import dev.ingest.app.bench.CommitWatch;
import dev.ingest.app.bench.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One contestant on a preloaded topic, watched from outside: from its first commit to its last. The
 * rows of the first commit are not counted, since the time before it is start-up.
 *
 * @param table empty
 */
record RateRun(Database database, String table) {
  private static final long LOOK_MICROS = 10_000;

  Map<String, Double> run(Workload workload, PacedRun.Launch launch) {
    BenchClock clock = new BenchClock();
    try (CommitWatch watch = new CommitWatch(database, clock, LOOK_MICROS)) {
      long start = clock.micros();
      try (Running running = launch.on(workload)) {
        watch.process(running.pid());
        new Rows(database, table).await(workload.events(), running);
      }
      watch.stop();
      return values(watch, start, rowsByMoment(watch));
    }
  }

  private static Map<String, Double> values(
      CommitWatch watch, long start, SortedMap<Long, Long> rowsByMoment) {
    long first = rowsByMoment.firstKey();
    long last = rowsByMoment.lastKey();
    long rows = sum(rowsByMoment);
    double cpuAtFirst = watch.cpuSecondsAt(first);
    double cpuAtLast = watch.cpuSecondsAt(last);
    long middle = moment(rowsByMoment, rows / 2);
    long later = sum(rowsByMoment.tailMap(middle + 1));
    Map<String, Double> values = new LinkedHashMap<>();
    values.put("events_per_second", sum(rowsByMoment.tailMap(first + 1)) / ((last - first) / 1e6));
    values.put("cpu_s_per_million", (cpuAtLast - cpuAtFirst) / rows * 1e6);
    values.put("later_cpu_s_per_million", (cpuAtLast - watch.cpuSecondsAt(middle)) / later * 1e6);
    values.put("cpu_s_with_start", cpuAtLast);
    values.put("start_s", (first - start) / 1e6);
    values.put("seconds", (last - first) / 1e6);
    return values;
  }

  private static long sum(SortedMap<Long, Long> rowsByMoment) {
    return rowsByMoment.values().stream().mapToLong(Long::longValue).sum();
  }

  /** When so many rows were committed. */
  private static long moment(SortedMap<Long, Long> rowsByMoment, long rows) {
    long seen = 0;
    for (Map.Entry<Long, Long> each : rowsByMoment.entrySet()) {
      seen += each.getValue();
      if (seen >= rows) {
        return each.getKey();
      }
    }
    return rowsByMoment.lastKey();
  }

  private SortedMap<Long, Long> rowsByMoment(CommitWatch watch) {
    SortedMap<Long, Long> rows = new TreeMap<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT xmin::text::bigint, count(*) FROM " + table + " GROUP BY 1")) {
      while (row.next()) {
        rows.merge(PacedRun.visibleAt(watch, row.getLong(1)), row.getLong(2), Long::sum);
      }
    } catch (SQLException failed) {
      throw BenchFailure.of("reading commits", failed);
    }
    return rows;
  }
}
