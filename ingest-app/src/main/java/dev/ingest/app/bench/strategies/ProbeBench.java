package dev.ingest.app.bench.strategies;

import dev.ingest.app.bench.BenchFailure;
import dev.ingest.app.bench.BenchServers;
import dev.ingest.app.bench.Environment;
import dev.ingest.app.bench.ProcessCpu;
import dev.ingest.app.bench.Rounds;
import dev.ingest.app.bench.ServerMeter;
import dev.ingest.app.bench.report.Chart;
import dev.ingest.app.bench.report.Metric;
import dev.ingest.app.bench.report.Report;
import dev.ingest.app.bench.report.Sample;
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

/**
 * What looking for keys costs by number and size of partitions, and what the rows of new keys cost
 * by INSERT and by COPY. Ways in turn, on tables that are brought back to the same state before
 * each run; rows are counted after it.
 */
public final class ProbeBench {
  private static final long SEED = 19_700_101;

  private static final List<Metric> METRICS =
      List.of(
          new Metric("batch_p50_ms", "batch p50 ms", 1),
          new Metric("events_per_second", "events/s", 0),
          new Metric("server_cpu_us_per_event", "server CPU µs/event", 1),
          new Metric("client_cpu_us_per_event", "client CPU µs/event", 1),
          new Metric("wal_bytes_per_event", "WAL B/event", 0),
          new Metric("batch_p99_ms", "p99 ms", 1),
          new Metric("seconds", "s", 1));

  private final Plan plan;
  private final BenchServers servers;
  private final PrintWriter out;

  /**
   * What is run. Immutable.
   *
   * @param unpartitioned whether the default table and a typed one are written to as well
   * @param days numbers of partitions
   * @param rows sizes of a partition
   * @param load which keys the events have
   * @param events of a run
   * @param batch events in a transaction
   * @param writers threads with a connection each
   * @param rounds each way runs once in each
   */
  public record Plan(
      boolean unpartitioned,
      List<Integer> days,
      List<Integer> rows,
      List<ProbeWay> ways,
      Load load,
      int events,
      int batch,
      int writers,
      int rounds) {
    public Plan {
      days = List.copyOf(days);
      rows = List.copyOf(rows);
      ways = List.copyOf(ways);
    }

    private List<ProbedTable> tables() {
      List<ProbedTable> tables = new ArrayList<>();
      if (unpartitioned) {
        tables.add(ProbedTable.event());
        tables.add(ProbedTable.typed());
      }
      for (int size : rows) {
        days.forEach(count -> tables.add(ProbedTable.days(count, size)));
      }
      return tables;
    }
  }

  public ProbeBench(Plan plan, BenchServers servers, PrintWriter out) {
    this.plan = plan;
    this.servers = servers;
    this.out = out;
  }

  /** Runs everything; some minutes. */
  public Report run() {
    Map<String, String> environment = Environment.of(servers);
    List<List<Event>> batches = plan.load().batches(plan.events(), plan.batch(), SEED);
    long keys = Load.Events.distinctKeys(batches);
    List<Sample> samples = new ArrayList<>();
    for (ProbedTable table : plan.tables()) {
      servers.database().execute(table.make().toArray(String[]::new));
      List<ProbeWay> ways = plan.ways().stream().filter(way -> way.fits(table)).toList();
      for (ProbeWay way : ways) { // warms up
        reset(table);
        var unused = race(table, way, batches);
      }
      for (int round = 1; round <= plan.rounds(); round++) {
        for (ProbeWay way : Rounds.inTurn(ways, round)) {
          samples.add(sample(table, way, round, batches, keys));
        }
      }
    }
    return report(environment, samples);
  }

  private void reset(ProbedTable table) {
    servers.database().execute(table.reset().toArray(String[]::new));
    servers.database().execute("CHECKPOINT");
  }

  private Race.Outcome race(ProbedTable table, ProbeWay way, List<List<Event>> batches) {
    return new Race(servers.database(), way.into(table), batches, Double.POSITIVE_INFINITY)
        .run(plan.writers());
  }

  private Sample sample(
      ProbedTable table, ProbeWay way, int round, List<List<Event>> batches, long keys) {
    reset(table);
    long before = rows(table);
    try (ServerMeter server = new ServerMeter(servers.database())) {
      double cpuBefore = ProcessCpu.ofProcess(ProcessHandle.current().pid());
      Race.Outcome outcome = race(table, way, batches);
      double cpu = ProcessCpu.ofProcess(ProcessHandle.current().pid()) - cpuBefore;
      Map<String, Double> values = new LinkedHashMap<>();
      values.put("batch_p50_ms", outcome.millis().at(0.5));
      values.put("batch_p99_ms", outcome.millis().at(0.99));
      values.put("events_per_second", outcome.events() / outcome.seconds());
      values.put("client_cpu_us_per_event", cpu * 1e6 / outcome.events());
      values.put("seconds", outcome.seconds());
      values.put("partitions", (double) table.partitions());
      values.putAll(server.stop(outcome.events(), 0));
      check(table, way, rows(table) - before, keys);
      out.printf(
          Locale.ROOT,
          "round %d  %-28s %-26s p50 %,8.1f ms  %,9.0f events/s  %,6.1f µs/event%n",
          round,
          table.title(),
          way.title(),
          values.get("batch_p50_ms"),
          values.get("events_per_second"),
          values.get("server_cpu_us_per_event"));
      out.flush();
      return new Sample(way.title(), table.title(), round, values);
    }
  }

  private long rows(ProbedTable table) {
    try (Connection connection = servers.database().connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table.name())) {
      row.next();
      return row.getLong(1);
    } catch (SQLException failed) {
      throw BenchFailure.of("counting rows", failed);
    }
  }

  /** A time counts only where each key was stored once. */
  private static void check(ProbedTable table, ProbeWay way, long rows, long keys) {
    if (rows != keys) {
      throw new IngestException(
          Code.VERIFY_FAILED,
          "%s into %s stored rows=%d for keys=%d."
              .formatted(way.title(), table.title(), rows, keys));
    }
  }

  private Report report(Map<String, String> environment, List<Sample> samples) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("events", Integer.toString(plan.events()));
    settings.put("load", plan.load().title());
    settings.put("batch", Integer.toString(plan.batch()));
    settings.put("writers", Integer.toString(plan.writers()));
    settings.put("rounds", Integer.toString(plan.rounds()));
    settings.put("seed", Long.toString(SEED));
    return new Report(
        "probe",
        "Keys looked for under their locks, then the rows of new ones written: by number and size of"
            + " partitions, by INSERT and by COPY.",
        environment,
        settings,
        ProbeWay.INSERT.title(),
        METRICS,
        List.of(
            Chart.bars("Time of a batch", "batch_p50_ms"),
            Chart.bars("CPU of the server", "server_cpu_us_per_event")),
        List.of(
            "All events go to the last day, which has as many rows as the others before each run;"
                + " keys are looked for in all days, or in those of the window.",
            "INSERT is the product, COPY a writer by hand that does less in the client. Autovacuum is"
                + " off for the tables."),
        samples);
  }
}
