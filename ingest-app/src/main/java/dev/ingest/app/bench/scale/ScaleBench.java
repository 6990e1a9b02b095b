package dev.ingest.app.bench.scale;

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

/**
 * One to several processes of one group over a preloaded topic. Measured is the steady middle: from
 * the moment when every consumer has its partitions to nine tenths of the events, since processes
 * start and finish at slightly different times.
 */
public final class ScaleBench {
  private static final long SEED = 20_180_207;
  private static final double UNTIL = 0.9;

  private static final List<Metric> METRICS =
      List.of(
          new Metric("events_per_second", "events/s", 0),
          new Metric("cpu_s_per_million", "app CPU s/million", 1),
          new Metric("processors", "processors used by them", 2),
          new Metric("processes", "processes", 0));

  private final Plan plan;
  private final BenchServers servers;
  private final PrintWriter out;

  /**
   * What is run. Immutable.
   *
   * @param processes each number is run, the first one counts as 1
   * @param consumers in each process
   * @param heap of each process, as {@code -Xmx} takes it
   */
  public record Plan(
      long events,
      int partitions,
      List<Integer> processes,
      int consumers,
      int batch,
      int rounds,
      String heap) {
    public Plan {
      processes = List.copyOf(processes);
    }
  }

  public ScaleBench(Plan plan, BenchServers servers, PrintWriter out) {
    this.plan = plan;
    this.servers = servers;
    this.out = out;
  }

  /** Runs everything; some minutes. */
  public Report run() {
    Map<String, String> environment = Environment.of(servers);
    String topic = servers.topics().preload("scale", plan.partitions(), plan.events(), SEED);
    List<Sample> samples = new ArrayList<>();
    for (int round = 1; round <= plan.rounds(); round++) {
      for (int processes : Rounds.inTurn(plan.processes(), round)) {
        samples.add(sample(topic, processes, round));
      }
    }
    return report(environment, samples);
  }

  private Sample sample(String topic, int count, int round) {
    servers.emptyTable();
    String group = servers.topics().group("processes-" + count);
    try (Progress progress = new Progress(servers.topics().bootstrap(), group);
        Processes processes =
            new Processes(
                count, settings(topic, group), servers.database().password(), plan.heap())) {
      progress.awaitMembers(count * plan.consumers(), processes::areRunning);
      long before = progress.committed();
      double cpuBefore = processes.cpuSeconds();
      long begin = System.nanoTime();
      progress.awaitCommitted((long) (plan.events() * UNTIL), processes::areRunning);
      double seconds = (System.nanoTime() - begin) / 1e9;
      double cpu = processes.cpuSeconds() - cpuBefore;
      long events = progress.committed() - before;

      Map<String, Double> values = new LinkedHashMap<>();
      values.put("events_per_second", events / seconds);
      values.put("seconds", seconds);
      values.put("cpu_s_per_million", cpu / events * 1e6);
      values.put("processors", cpu / seconds);
      values.put("processes", (double) count);
      out.printf(
          Locale.ROOT,
          "round %d  processes %d  %,9.0f events/s  %5.1f s  cpu %5.1f s%n",
          round,
          count,
          events / seconds,
          seconds,
          cpu);
      out.flush();
      return new Sample(title(count), "", round, values);
    }
  }

  private List<String> settings(String topic, String group) {
    List<String> settings = new ArrayList<>();
    settings.add("ingest.source.topics=" + topic);
    settings.add("ingest.source.group-id=" + group);
    settings.add("ingest.source.consumers=" + plan.consumers());
    settings.add("ingest.batch.max-events=" + plan.batch());
    settings.add("ingest.kafka.bootstrap.servers=" + servers.topics().bootstrap());
    settings.add("ingest.postgres.url=" + servers.database().url());
    settings.add("ingest.postgres.user=" + servers.database().user());
    settings.add("ingest.http.enabled=false");
    return settings;
  }

  private static String title(int processes) {
    return processes == 1 ? "1 process" : processes + " processes";
  }

  private Report report(Map<String, String> environment, List<Sample> samples) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("events", Long.toString(plan.events()));
    settings.put("partitions", Integer.toString(plan.partitions()));
    settings.put("processes", plan.processes().toString());
    settings.put("consumers in each", Integer.toString(plan.consumers()));
    settings.put("batch", Integer.toString(plan.batch()));
    settings.put("rounds", Integer.toString(plan.rounds()));
    settings.put("heap", plan.heap());
    settings.put("seed", Long.toString(SEED));
    return new Report(
        "scale",
        "Processes of one group over one topic into the default table: from every consumer having"
            + " its partitions to nine tenths of the events.",
        environment,
        settings,
        title(plan.processes().get(0)),
        METRICS,
        List.of(Chart.lines("Rate by processes", "processes", "events_per_second")),
        List.of(
            "Where servers and processes share one machine, a process more takes what the others"
                + " left of its processors."),
        samples);
  }
}
