package dev.ingest.app.bench.pipeline;

import dev.ingest.app.bench.BenchServers;
import dev.ingest.app.bench.Environment;
import dev.ingest.app.bench.Rounds;
import dev.ingest.app.bench.report.Chart;
import dev.ingest.app.bench.report.Metric;
import dev.ingest.app.bench.report.Report;
import dev.ingest.app.bench.report.Sample;
import dev.ingest.event.IngestException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The product beside other programs that do the same: the same topic into the same server and a
 * table of the same form, watched from outside, then an even load for the latency.
 */
public final class RivalsBench {
  private static final long SEED = 27_182_818;
  private static final String KEYED = "public.rival";
  private static final String KEYLESS = "public.rival_keyless";

  private final Plan plan;
  private final BenchServers servers;
  private final PrintWriter out;

  /**
   * What is run. Immutable.
   *
   * @param rivals scripts by the names of the rivals
   * @param events in the topic for the rate
   * @param perSecond events of the even load; 0: no latency is measured
   * @param warmUp seconds of it that are not counted
   * @param seconds of it that are counted
   */
  public record Plan(
      Map<String, Path> rivals,
      long events,
      double perSecond,
      double warmUp,
      double seconds,
      Setup setup) {
    public Plan {
      rivals = new LinkedHashMap<>(rivals);
    }
  }

  /**
   * One program. Immutable.
   *
   * @param table as the workload names it; empty: the default table
   */
  private record Program(String title, String table, PacedRun.Launch launch) {
    String rows() {
      return table.isEmpty() ? "ingest.event" : table;
    }
  }

  public RivalsBench(Plan plan, BenchServers servers, PrintWriter out) {
    this.plan = plan;
    this.servers = servers;
    this.out = out;
  }

  /** Runs everything; a minute for the rate of each program and round, two for its latency. */
  public Report run() {
    Map<String, String> environment = Environment.of(servers);
    String topic =
        servers.topics().preload("rivals", plan.setup().partitions(), plan.events(), SEED);
    List<Sample> samples = new ArrayList<>();
    for (int round = 1; round <= plan.setup().rounds(); round++) {
      for (Program each : Rounds.inTurn(programs(), round)) {
        rate(each, topic, round, samples);
      }
      if (plan.perSecond() > 0) {
        for (Program each : Rounds.inTurn(lasting(), round)) {
          latency(each, round, samples);
        }
      }
    }
    return report(environment, samples);
  }

  private List<Program> programs() {
    List<Program> all = new ArrayList<>();
    all.add(ours("ingest", Contestant.INGEST, KEYED));
    plan.rivals()
        .forEach(
            (name, script) ->
                all.add(new Program(name, KEYED, on -> ExternalProcess.start(script, on))));
    all.add(ours("ingest, no lock", Contestant.INGEST_NO_LOCK, KEYED));
    all.add(ours("ingest, default table (jsonb)", Contestant.INGEST, ""));
    all.add(ours("COPY, keyed table", Contestant.COPY, KEYED));
    all.add(ours("COPY, keyless table", Contestant.COPY, KEYLESS));
    return all;
  }

  /** Those whose latency is compared. */
  private List<Program> lasting() {
    return programs().subList(0, 1 + plan.rivals().size());
  }

  private Program ours(String title, Contestant contestant, String table) {
    return new Program(
        title, table, on -> ContestantProcess.start(contestant, on, plan.setup().heap()));
  }

  private void rate(Program program, String topic, int round, List<Sample> samples) {
    emptyTables();
    Workload workload = workload(program, topic, plan.events());
    attempt(
        program,
        "rate",
        round,
        samples,
        () -> {
          Map<String, Double> values =
              new RateRun(servers.database(), program.rows()).run(workload, program.launch());
          out.printf(
              Locale.ROOT,
              "round %d  %-30s %,9.0f events/s  cpu s/million %6.1f, second half %6.1f%n",
              round,
              program.title(),
              values.get("events_per_second"),
              values.get("cpu_s_per_million"),
              values.get("later_cpu_s_per_million"));
          return values;
        });
  }

  private void latency(Program program, int round, List<Sample> samples) {
    emptyTables();
    PacedRun.Pace pace = new PacedRun.Pace(plan.perSecond(), plan.warmUp(), plan.seconds());
    String topic =
        servers.topics().make("paced-" + round + "-" + samples.size(), plan.setup().partitions());
    Workload workload = workload(program, topic, pace.events());
    attempt(
        program,
        pace.title(),
        round,
        samples,
        () -> {
          Map<String, Double> values =
              new PacedRun(servers.database(), servers.topics(), program.rows(), pace)
                  .run(workload, program.launch());
          LatencyBench.print(out, round, program.title(), values);
          return values;
        });
  }

  /** Measures one run. */
  private interface Run {
    Map<String, Double> values();
  }

  /** A rival that fails is told and has no values; the others go on. */
  private void attempt(Program program, String load, int round, List<Sample> samples, Run run) {
    Map<String, Double> values;
    try {
      values = run.values();
    } catch (IngestException failed) {
      if (Thread.currentThread().isInterrupted() || !plan.rivals().containsKey(program.title())) {
        throw failed;
      }
      out.println("round " + round + "  " + program.title() + ": " + failed.getMessage());
      values = Map.of();
    }
    out.flush();
    samples.add(new Sample(program.title(), load, round, values));
  }

  private Workload workload(Program program, String topic, long events) {
    String group = program.title().replaceAll("\\W+", "-");
    return plan.setup().workload(servers, group, topic, events, program.table(), Workload.NO_STEPS);
  }

  private void emptyTables() {
    servers.emptyTable(
        "DROP TABLE IF EXISTS " + KEYED,
        "DROP TABLE IF EXISTS " + KEYLESS,
        "CREATE TABLE "
            + KEYED
            + " (business_key text COLLATE \"C\" PRIMARY KEY, payload text)"
            + " WITH (autovacuum_enabled = false)",
        "CREATE TABLE "
            + KEYLESS
            + " (business_key text, payload text) WITH (autovacuum_enabled = false)");
  }

  private Report report(Map<String, String> environment, List<Sample> samples) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("events", Long.toString(plan.events()));
    settings.put(
        "even load",
        plan.perSecond() + "/s, " + plan.seconds() + " s after " + plan.warmUp() + " of warm-up");
    settings.put("rivals", plan.rivals().keySet().toString());
    settings.put("seed", Long.toString(SEED));
    List<Metric> metrics = new ArrayList<>();
    metrics.add(new Metric("events_per_second", "events/s", 0));
    metrics.add(new Metric("cpu_s_per_million", "CPU s/million net of start-up", 1));
    metrics.add(new Metric("later_cpu_s_per_million", "in the second half", 1));
    metrics.add(new Metric("cpu_s_with_start", "CPU s in all", 1));
    metrics.add(new Metric("start_s", "s to first commit", 1));
    metrics.addAll(LatencyBench.METRICS);
    return new Report(
        "rivals",
        "The same topic into the same server and a table of the same form (text key, text payload), each"
            + " program in a process of its own, watched from outside.",
        environment,
        plan.setup().settings(settings),
        "ingest",
        metrics,
        List.of(
            Chart.bars("Rate, first commit to last", "events_per_second"),
            Chart.bars("CPU net of start-up", "cpu_s_per_million"),
            Chart.bars("Latency under the even load, p50", "p50_ms"),
            Chart.bars("Latency under the even load, p99", "p99_ms")),
        List.of(
            "The rate and the net CPU run from the first commit to the last; latency from the moment at"
                + " which an event should have been sent to the first look, a millisecond apart, that saw its"
                + " row committed.",
            "In the second half of the events most of a process's code has been compiled: what it costs in"
                + " the long run."),
        samples);
  }
}
