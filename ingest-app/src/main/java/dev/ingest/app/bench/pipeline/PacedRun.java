package dev.ingest.app.bench.pipeline;

import dev.ingest.app.bench.BenchClock;
import dev.ingest.app.bench.BenchFailure;
import dev.ingest.app.bench.CommitWatch;
import dev.ingest.app.bench.Database;
import dev.ingest.app.bench.Percentiles;
import dev.ingest.app.bench.Topics;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One contestant under an even load: from the moment at which an event should have been sent to the
 * first look that saw its row committed. The first seconds warm up and are not counted.
 *
 * @param table with a column {@code payload}, empty
 */
record PacedRun(Database database, Topics topics, String table, Pace pace) {
  private static final long LOOK_MICROS = 1000;

  /**
   * How events come. Immutable.
   *
   * @param perSecond events
   * @param warmUp seconds that are not counted
   * @param seconds that are counted
   */
  public record Pace(double perSecond, double warmUp, double seconds) {
    long events() {
      return (long) (perSecond * (warmUp + seconds));
    }

    String title() {
      return String.format(java.util.Locale.ROOT, "latency at %,.0f/s", perSecond);
    }
  }

  /** Starts a contestant that reads the topic. */
  interface Launch {
    Running on(Workload workload);
  }

  /**
   * @param workload its topic is empty so far
   */
  Map<String, Double> run(Workload workload, Launch launch) {
    BenchClock clock = new BenchClock();
    try (CommitWatch watch = new CommitWatch(database, clock, LOOK_MICROS);
        Running running = launch.on(workload)) {
      watch.process(running.pid());
      topics.awaitStable(workload.group(), running::hasFailed);
      long start =
          new Pacer(clock, topics.bootstrap(), workload.topic(), pace.perSecond())
              .send(workload.events(), clock.micros(), running::hasFailed);
      new Rows(database, table).await(workload.events(), running);
      watch.stop();
      long counted = start + (long) (pace.warmUp() * 1e6);
      Map<String, Double> values = latencies(watch, counted);
      double cpu = watch.cpuSecondsAt(Long.MAX_VALUE) - watch.cpuSecondsAt(counted);
      values.put("app_cpu_percent", cpu / pace.seconds() * 100);
      values.putAll(running.phases());
      return values;
    }
  }

  private Map<String, Double> latencies(CommitWatch watch, long from) {
    String query =
        "SELECT xmin::text::bigint, substring(payload::text FROM '\"sent\": ?([0-9]+)')::bigint FROM "
            + table;
    Percentiles millis = new Percentiles();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      while (row.next()) {
        long sent = row.getLong(2);
        if (sent >= from) {
          millis.add((visibleAt(watch, row.getLong(1)) - sent) / 1000.0, 1);
        }
      }
    } catch (SQLException failed) {
      throw BenchFailure.of("reading latencies", failed);
    }
    Map<String, Double> values = new LinkedHashMap<>();
    values.put("p99_ms", millis.at(0.99));
    values.put("p50_ms", millis.at(0.5));
    values.put("p999_ms", millis.at(0.999));
    values.put("worst_ms", millis.at(1));
    return values;
  }

  static long visibleAt(CommitWatch watch, long xmin) {
    long at = watch.visibleAt(xmin);
    if (at < 0) {
      throw new IngestException(Code.INTERNAL, "a commit was not seen by the watch.");
    }
    return at;
  }
}
