package dev.ingest.app.bench.strategies;

import dev.ingest.app.bench.BenchFailure;
import dev.ingest.app.bench.BenchServers;
import dev.ingest.app.bench.Environment;
import dev.ingest.app.bench.Rounds;
import dev.ingest.app.bench.ServerMeter;
import dev.ingest.app.bench.report.Chart;
import dev.ingest.app.bench.report.Metric;
import dev.ingest.app.bench.report.Report;
import dev.ingest.app.bench.report.Sample;
import dev.ingest.app.bench.writers.RedisServer;
import dev.ingest.app.bench.writers.ReservationRows;
import dev.ingest.event.Event;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Ways to store each key once, over JDBC alone, under three loads; contestants in turn, each on an
 * empty table. After each run the rows are counted against the keys that were written.
 */
public final class StrategiesBench {
  private static final long SEED = 19_700_101;
  private static final int WARM_UP_BATCHES = 40;

  private static final List<Metric> METRICS =
      List.of(
          new Metric("events_per_second", "events/s", 0),
          new Metric("batch_p50_ms", "batch p50 ms", 1),
          new Metric("batch_p99_ms", "p99 ms", 1),
          new Metric("batch_worst_ms", "worst ms", 0),
          new Metric("deadlocks", "deadlocks", 0),
          new Metric("retries", "retries", 0),
          new Metric("wal_bytes_per_event", "WAL B/event", 0),
          new Metric("dead_rows", "dead rows", 0),
          new Metric("table_mib", "tables MiB", 1),
          new Metric("index_mib", "indexes MiB", 1),
          new Metric("server_cpu_us_per_event", "server CPU µs/event", 1),
          new Metric("seconds", "s", 1));

  private final Plan plan;
  private final BenchServers servers;
  private final PrintWriter out;

  /**
   * What is run. Immutable.
   *
   * @param stripes numbers of locks for composite hashing, each a contestant
   * @param events of a run, at most
   * @param seconds of a run, at most
   * @param batch events in a transaction; a tenth of it for the hot set
   * @param writers threads with a connection each
   * @param rounds each contestant runs once in each
   */
  public record Plan(
      List<Load> loads,
      List<Integer> stripes,
      int events,
      double seconds,
      int batch,
      int writers,
      int rounds) {
    public Plan {
      loads = List.copyOf(loads);
      stripes = List.copyOf(stripes);
    }
  }

  public StrategiesBench(Plan plan, BenchServers servers, PrintWriter out) {
    this.plan = plan;
    this.servers = servers;
    this.out = out;
  }

  /** Runs everything; some minutes. */
  public Report run() {
    Map<String, String> environment = Environment.of(servers);
    Optional<RedisServer> redis = RedisServer.start();
    environment.put("redis-server", redis.map(RedisServer::version).orElse("absent: left out"));
    try {
      List<Strategy> strategies = Strategy.all(plan.stripes(), redis);
      List<Sample> samples = new ArrayList<>();
      for (Load load : plan.loads()) {
        List<List<Event>> batches = load.batches(plan.events(), plan.batch(), SEED);
        warmUp(strategies, batches);
        for (int round = 1; round <= plan.rounds(); round++) {
          for (Strategy each : Rounds.inTurn(strategies, round)) {
            samples.add(run(each, load, round, batches, redis));
          }
        }
      }
      return report(environment, samples);
    } finally {
      redis.ifPresent(RedisServer::close);
    }
  }

  private void warmUp(List<Strategy> strategies, List<List<Event>> batches) {
    List<List<Event>> first = batches.subList(0, Math.min(WARM_UP_BATCHES, batches.size()));
    for (Strategy each : strategies) {
      emptyTables();
      var unused = new Race(servers.database(), each, first, plan.seconds()).run(plan.writers());
    }
  }

  private void emptyTables() {
    servers.emptyTable(
        ReservationRows.TABLE,
        "TRUNCATE ingest.reservation",
        "ALTER TABLE ingest.reservation SET (autovacuum_enabled = false)");
  }

  private Sample run(
      Strategy strategy,
      Load load,
      int round,
      List<List<Event>> batches,
      Optional<RedisServer> redis) {
    emptyTables();
    double redisBefore = redis.map(RedisServer::cpuSeconds).orElse(0.0);
    try (ServerMeter server = new ServerMeter(servers.database())) {
      Race.Outcome outcome =
          new Race(servers.database(), strategy, batches, plan.seconds()).run(plan.writers());
      double redisCpu = redis.map(RedisServer::cpuSeconds).orElse(0.0) - redisBefore;
      check(strategy, Load.Events.distinctKeys(outcome.batches()));
      Map<String, Double> values = new LinkedHashMap<>();
      values.put("events_per_second", outcome.events() / outcome.seconds());
      values.put("batch_p50_ms", outcome.millis().at(0.5));
      values.put("batch_p99_ms", outcome.millis().at(0.99));
      values.put("batch_worst_ms", outcome.millis().at(1));
      values.put("retries", (double) outcome.retries());
      values.put("seconds", outcome.seconds());
      values.put("events", (double) outcome.events());
      values.putAll(server.stop(outcome.events(), redisCpu));
      out.printf(
          Locale.ROOT,
          "round %d  %-20s %-28s %,9.0f events/s  p99 %,7.1f ms  %.0f deadlocks%n",
          round,
          load.title(),
          strategy.title(),
          values.get("events_per_second"),
          values.get("batch_p99_ms"),
          values.get("deadlocks"));
      out.flush();
      return new Sample(strategy.title(), load.title(), round, values);
    }
  }

  /** A rate counts only where each key was stored once. */
  private void check(Strategy strategy, long keys) {
    try (Connection connection = servers.database().connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*), count(DISTINCT business_key) FROM ingest.event")) {
      row.next();
      if (row.getLong(1) != keys || row.getLong(2) != keys) {
        throw new IngestException(
            Code.VERIFY_FAILED,
            "contestant %s stored rows=%d for keys=%d."
                .formatted(strategy.title(), row.getLong(1), keys));
      }
    } catch (SQLException failed) {
      throw BenchFailure.of("counting rows", failed);
    }
  }

  private Report report(Map<String, String> environment, List<Sample> samples) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("events at most", Integer.toString(plan.events()));
    settings.put("seconds at most", Double.toString(plan.seconds()));
    settings.put("batch", plan.batch() + ", hot set " + Load.HOT.batch(plan.batch()));
    settings.put("writers", Integer.toString(plan.writers()));
    settings.put("rounds", Integer.toString(plan.rounds()));
    settings.put("seed", Long.toString(SEED));
    return new Report(
        "strategies",
        "Ways to store each key once, over JDBC alone: events of about 250 bytes as jsonb, several"
            + " writers, one transaction a batch.",
        environment,
        settings,
        Strategy.OURS,
        METRICS,
        List.of(
            Chart.bars("Rate", "events_per_second"),
            Chart.bars("Batch time, p99", "batch_p99_ms"),
            Chart.bars("Write-ahead log", "wal_bytes_per_event"),
            Chart.bars("CPU of the servers", "server_cpu_us_per_event")),
        List.of(
            "A batch's time runs from its first try to its commit. After each run the rows were"
                + " counted: each key once.",
            "The server's CPU includes that of Redis, which runs on the same machine and writes"
                + " nothing to disk. Autovacuum is off for the tables."),
        samples);
  }
}
