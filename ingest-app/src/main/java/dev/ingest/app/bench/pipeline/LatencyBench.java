package dev.ingest.app.bench.pipeline;

import dev.ingest.app.bench.BenchServers;
import dev.ingest.app.bench.Environment;
import dev.ingest.app.bench.Rounds;
import dev.ingest.app.bench.report.Chart;
import dev.ingest.app.bench.report.Metric;
import dev.ingest.app.bench.report.Report;
import dev.ingest.app.bench.report.Sample;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** From produce to committed under an even load, without coordinated omission. */
public final class LatencyBench {
  static final List<Metric> METRICS =
      List.of(
          new Metric("p99_ms", "p99 ms", 1),
          new Metric("p50_ms", "p50 ms", 1),
          new Metric("p999_ms", "p99.9 ms", 1),
          new Metric("worst_ms", "worst ms", 0),
          new Metric("commit_p50_ms", "of it COMMIT p50 ms", 1),
          new Metric("commit_p99_ms", "of it COMMIT p99 ms", 1),
          new Metric("app_cpu_percent", "app CPU % of one", 0));

  private final Plan plan;
  private final BenchServers servers;
  private final PrintWriter out;

  /**
   * What is run. Immutable.
   *
   * @param perSecond events
   * @param warmUp seconds that are not counted
   * @param seconds that are counted
   */
  public record Plan(
      List<Contestant> contestants, double perSecond, double warmUp, double seconds, Setup setup) {
    public Plan {
      contestants = List.copyOf(contestants);
    }
  }

  public LatencyBench(Plan plan, BenchServers servers, PrintWriter out) {
    this.plan = plan;
    this.servers = servers;
    this.out = out;
  }

  /** Runs everything; two minutes for each contestant and round. */
  public Report run() {
    Map<String, String> environment = Environment.of(servers);
    PacedRun.Pace pace = new PacedRun.Pace(plan.perSecond(), plan.warmUp(), plan.seconds());
    List<Sample> samples = new ArrayList<>();
    for (int round = 1; round <= plan.setup().rounds(); round++) {
      for (Contestant contestant : Rounds.inTurn(plan.contestants(), round)) {
        servers.emptyTable();
        String topic = servers.topics().make(contestant + "-" + round, plan.setup().partitions());
        Workload workload =
            plan.setup()
                .workload(
                    servers, contestant.toString(), topic, pace.events(), "", Workload.NO_STEPS);
        Map<String, Double> values =
            new PacedRun(servers.database(), servers.topics(), "ingest.event", pace)
                .run(workload, on -> ContestantProcess.start(contestant, on, plan.setup().heap()));
        print(out, round, contestant.title(), values);
        samples.add(new Sample(contestant.title(), "", round, values));
      }
    }
    return report(environment, samples);
  }

  static void print(PrintWriter out, int round, String contestant, Map<String, Double> values) {
    out.printf(
        Locale.ROOT,
        "round %d  %-28s p50 %,7.1f ms  p99 %,7.1f ms  p99.9 %,7.1f ms  worst %,7.0f ms%n",
        round,
        contestant,
        values.get("p50_ms"),
        values.get("p99_ms"),
        values.get("p999_ms"),
        values.get("worst_ms"));
    out.flush();
  }

  private Report report(Map<String, String> environment, List<Sample> samples) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("events per second", Double.toString(plan.perSecond()));
    settings.put("seconds", plan.seconds() + " after " + plan.warmUp() + " of warm-up");
    return new Report(
        "latency",
        "From the moment at which an event should have been sent to the moment at which another"
            + " session saw its row committed.",
        environment,
        plan.setup().settings(settings),
        plan.contestants().get(0).title(),
        METRICS,
        List.of(
            Chart.bars("Latency, p50", "p50_ms"),
            Chart.bars("Latency, p99", "p99_ms"),
            Chart.bars("Latency, p99.9", "p999_ms")),
        List.of(
            "A look every millisecond: the true value is up to that much lower. COMMIT is what the"
                + " product's transactions waited for it, each event counted once."),
        samples);
  }
}
