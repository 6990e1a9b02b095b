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

/** The rate as the table grows: one long run, its time noted at even steps. */
public final class GrowthBench {
  private static final long SEED = 31_415_926;

  private final Plan plan;
  private final BenchServers servers;
  private final PrintWriter out;

  /**
   * What is run. Immutable.
   *
   * @param rows in the table at the end
   * @param steps of the same number of rows, at least 3
   */
  public record Plan(List<Contestant> contestants, long rows, int steps, Setup setup) {
    public Plan {
      contestants = List.copyOf(contestants);
    }
  }

  public GrowthBench(Plan plan, BenchServers servers, PrintWriter out) {
    this.plan = plan;
    this.servers = servers;
    this.out = out;
  }

  /** Runs everything; some minutes for each ten million rows. */
  public Report run() {
    Map<String, String> environment = Environment.of(servers);
    String topic = servers.topics().preload("growth", plan.setup().partitions(), plan.rows(), SEED);
    List<Sample> samples = new ArrayList<>();
    for (int round = 1; round <= plan.setup().rounds(); round++) {
      for (Contestant contestant : Rounds.inTurn(plan.contestants(), round)) {
        servers.emptyTable();
        Workload workload =
            plan.setup()
                .workload(
                    servers,
                    contestant.toString(),
                    topic,
                    plan.rows(),
                    "",
                    plan.rows() / plan.steps());
        try (ContestantProcess process =
            ContestantProcess.start(contestant, workload, plan.setup().heap())) {
          samples.addAll(steps(contestant, round, process.await().steps()));
        }
      }
    }
    return report(environment, samples);
  }

  private List<Sample> steps(Contestant contestant, int round, List<Double> seconds) {
    long step = plan.rows() / plan.steps();
    double second = step / (seconds.get(1) - seconds.get(0));
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < seconds.size(); i++) {
      double rate = step / (seconds.get(i) - (i == 0 ? 0 : seconds.get(i - 1)));
      Map<String, Double> values = new LinkedHashMap<>();
      values.put("events_per_second", rate);
      values.put("of_second_step", rate / second);
      values.put("rows", (double) step * (i + 1));
      String load = String.format(Locale.ROOT, "to %,d rows", step * (i + 1));
      samples.add(new Sample(contestant.title(), load, round, values));
      out.printf(
          Locale.ROOT,
          "round %d  %-28s %-20s %,9.0f events/s%n",
          round,
          contestant.title(),
          load,
          rate);
    }
    out.flush();
    return samples;
  }

  private Report report(Map<String, String> environment, List<Sample> samples) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("rows", Long.toString(plan.rows()));
    settings.put("steps", Integer.toString(plan.steps()));
    settings.put("seed", Long.toString(SEED));
    return new Report(
        "growth",
        "The rate as the default table grows from nothing; keys are random, so every part of the"
            + " index is written to.",
        environment,
        plan.setup().settings(settings),
        plan.contestants().get(0).title(),
        List.of(
            new Metric("events_per_second", "events/s", 0),
            new Metric("of_second_step", "of the second step", 2),
            new Metric("rows", "rows", 0)),
        List.of(Chart.lines("Rate as the table grows", "rows", "events_per_second")),
        List.of(
            "The first step has the warm-up of the process in it; compare with the second.",
            "Autovacuum is off for the table, checkpoints come as the server's settings say."),
        samples);
  }
}
