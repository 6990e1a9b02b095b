package dev.ingest.app.bench.pipeline;

import dev.ingest.app.bench.BenchServers;
import dev.ingest.app.bench.Environment;
import dev.ingest.app.bench.Rounds;
import dev.ingest.app.bench.ServerMeter;
import dev.ingest.app.bench.report.Chart;
import dev.ingest.app.bench.report.Metric;
import dev.ingest.app.bench.report.Report;
import dev.ingest.app.bench.report.Sample;
import dev.ingest.app.config.BatchSettings;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * From a preloaded topic into the default table, contestants in turn, several rounds, each on an
 * empty table and with a group of its own.
 */
public final class PipelineBench {
  private static final long SEED = 20_180_207;

  /** Below it, a batch is so small that a run takes fewer events. */
  private static final int SMALL_BATCH = 50;

  private static final List<Metric> METRICS =
      List.of(
          new Metric("events_per_second", "events/s", 0),
          new Metric("cpu_s_per_million", "app CPU s/million", 1),
          new Metric("later_cpu_s_per_million", "in the second half", 1),
          new Metric("allocated_bytes_per_event", "app B allocated/event", 0),
          new Metric("heap_mib", "app heap MiB", 0),
          new Metric("resident_mib", "app memory MiB", 0),
          new Metric("server_cpu_us_per_event", "server CPU µs/event", 1),
          new Metric("wal_bytes_per_event", "WAL B/event", 0),
          new Metric("batch", "batch", 0),
          new Metric("consumers", "consumers", 0));

  private final Plan plan;
  private final BenchServers servers;
  private final PrintWriter out;

  /**
   * What is run. Immutable.
   *
   * @param events in the topic
   * @param slowEvents that slow contestants and small batches read, since they take so long
   * @param consumers each number is run
   * @param batches each size is run
   * @param rounds each contestant runs once in each
   * @param heap of a contestant, as {@code -Xmx} takes it
   */
  public record Plan(
      List<Contestant> contestants,
      long events,
      long slowEvents,
      int partitions,
      List<Integer> consumers,
      List<Integer> batches,
      int rounds,
      String heap) {
    public Plan {
      contestants = List.copyOf(contestants);
      consumers = List.copyOf(consumers);
      batches = List.copyOf(batches);
    }
  }

  /** One setting under which contestants meet. */
  private record Setting(int batch, int consumers) {}

  public PipelineBench(Plan plan, BenchServers servers, PrintWriter out) {
    this.plan = plan;
    this.servers = servers;
    this.out = out;
  }

  /** Runs everything; some minutes. */
  public Report run() {
    Map<String, String> environment = Environment.of(servers);
    String all = servers.topics().preload("all", plan.partitions(), plan.events(), SEED);
    String few = servers.topics().preload("few", plan.partitions(), plan.slowEvents(), SEED);
    List<Sample> samples = new ArrayList<>();
    for (int round = 1; round <= plan.rounds(); round++) {
      for (Setting setting : settings()) {
        for (Contestant contestant : Rounds.inTurn(plan.contestants(), round)) {
          boolean slow = contestant.isSlow() || setting.batch() < SMALL_BATCH;
          Workload workload =
              new Workload(
                  servers.database(),
                  servers.topics().bootstrap(),
                  slow ? few : all,
                  slow ? plan.slowEvents() : plan.events(),
                  servers.topics().group(contestant.toString()),
                  setting.consumers(),
                  setting.batch(),
                  BatchSettings.DEFAULT_LINGER_MILLIS,
                  "",
                  Workload.NO_STEPS);
          samples.add(sample(contestant, setting, round, workload));
        }
      }
    }
    return report(environment, samples);
  }

  private List<Setting> settings() {
    return plan.consumers().stream()
        .flatMap(count -> plan.batches().stream().map(batch -> new Setting(batch, count)))
        .toList();
  }

  private Sample sample(Contestant contestant, Setting setting, int round, Workload workload) {
    servers.emptyTable(Contestant.MAKE_TABLES);
    try (ServerMeter server = new ServerMeter(servers.database());
        ContestantProcess process = ContestantProcess.start(contestant, workload, plan.heap())) {
      Measured run = process.await();
      Map<String, Double> values = new LinkedHashMap<>();
      values.put("events_per_second", run.rate());
      values.put("seconds", run.seconds());
      values.put("cpu_s_per_million", run.cpuSeconds() / run.events() * 1e6);
      values.put("later_cpu_s_per_million", run.laterCpuSeconds() * 2 / run.events() * 1e6);
      values.put("allocated_bytes_per_event", run.allocatedBytes() / run.events());
      values.put("heap_mib", run.heapBytes() / (1 << 20));
      values.put("resident_mib", run.residentBytes() / (1 << 20));
      values.put("batch", (double) setting.batch());
      values.put("consumers", (double) setting.consumers());
      values.putAll(run.phases());
      values.putAll(server.stop(run.events(), 0));
      out.printf(
          Locale.ROOT,
          "round %d  %-28s batch %,5d  consumers %d  %,9.0f events/s  %5.1f s  cpu %5.1f s%n",
          round,
          contestant.title(),
          setting.batch(),
          setting.consumers(),
          run.rate(),
          run.seconds(),
          run.cpuSeconds());
      out.flush();
      return new Sample(contestant.title(), load(setting), round, values);
    }
  }

  private String load(Setting setting) {
    List<String> parts = new ArrayList<>();
    if (plan.batches().size() > 1) {
      parts.add("batch " + setting.batch());
    }
    if (plan.consumers().size() > 1) {
      parts.add("consumers " + setting.consumers());
    }
    return String.join(", ", parts);
  }

  private Report report(Map<String, String> environment, List<Sample> samples) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("events", Long.toString(plan.events()));
    settings.put("slow events", Long.toString(plan.slowEvents()));
    settings.put("partitions", Integer.toString(plan.partitions()));
    settings.put("consumers", plan.consumers().toString());
    settings.put("batch", plan.batches().toString());
    settings.put("rounds", Integer.toString(plan.rounds()));
    settings.put("heap", plan.heap());
    settings.put("seed", Long.toString(SEED));
    return new Report(
        "pipeline",
        "From a preloaded topic into the default table: first poll that returned something to last"
            + " commit of offsets, each contestant in a process of its own.",
        environment,
        settings,
        plan.contestants().get(0).title(),
        METRICS,
        charts(),
        List.of(
            "CPU, allocation and heap are those of the contestant's process, without its start-up;"
                + " the server's CPU includes the start of its sessions.",
            "In the second half most of a process's code has been compiled: what it costs in the long"
                + " run.",
            "Small batches and slow contestants read the slow events only."),
        samples);
  }

  private List<Chart> charts() {
    List<Chart> charts = new ArrayList<>();
    if (plan.batches().size() > 1 && plan.consumers().size() == 1) {
      charts.add(Chart.lines("Rate by batch size", "batch", "events_per_second"));
      charts.add(Chart.lines("App CPU by batch size", "batch", "cpu_s_per_million"));
    } else if (plan.consumers().size() > 1 && plan.batches().size() == 1) {
      charts.add(Chart.lines("Rate by consumers", "consumers", "events_per_second"));
    } else {
      charts.add(Chart.bars("Rate", "events_per_second"));
      charts.add(Chart.bars("CPU of the application", "cpu_s_per_million"));
      charts.add(Chart.bars("Allocation", "allocated_bytes_per_event"));
    }
    return charts;
  }
}
