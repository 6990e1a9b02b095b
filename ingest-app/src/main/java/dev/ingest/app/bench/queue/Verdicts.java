package dev.ingest.app.bench.queue;

import dev.ingest.app.bench.report.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What the numbers say of what the queue promises, from medians over the rounds. */
final class Verdicts {
  static final String FINISHED = "finished jobs, batch 100";
  static final String SNAPSHOT = "snapshot held open, batch 100";
  static final String RIVAL = "handlers that do nothing";
  static final String OURS = "this queue";
  static final String THEIRS = "rival";
  private static final String RATE = "jobs_per_second";
  private static final String CLAIM = "claim_p50_ms";

  private final List<Sample> samples;
  private final QueueBench.Plan plan;

  Verdicts(List<Sample> samples, QueueBench.Plan plan) {
    this.samples = samples;
    this.plan = plan;
  }

  List<String> notes() {
    List<String> notes = new ArrayList<>();
    for (Part part : plan.parts()) {
      switch (part) {
        case BATCH -> notes.add(ratio("batch,", RATE, "batch 100", "batch 1", "40"));
        case WORKERS -> notes.add(fall());
        case LOCKING -> notes.add(ratio("locks,", RATE, "SKIP LOCKED", "FOR UPDATE", "1"));
        case INDEX -> notes.add(ratio("index,", CLAIM, "primary key", "partial index", "1"));
        case WEAR -> {
          notes.add(wear(FINISHED));
          notes.add(wear(SNAPSHOT));
        }
        case RIVAL -> notes.add(rival());
      }
    }
    return notes;
  }

  /** Medians by contestant, in the order of their first run in the first round. */
  private Map<String, Double> medians(String load, String metric) {
    Map<String, List<Double>> values = new LinkedHashMap<>();
    samples.stream()
        .filter(each -> each.load().startsWith(load))
        .forEach(
            each ->
                values
                    .computeIfAbsent(each.contestant(), name -> new ArrayList<>())
                    .add(each.values().getOrDefault(metric, Double.NaN)));
    return values.entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey,
                each -> median(each.getValue()),
                (one, other) -> one,
                LinkedHashMap::new));
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  private String ratio(String load, String metric, String over, String under, String wanted) {
    Map<String, Double> medians = medians(load, metric);
    return "%s against %s, %s: %s times (wanted: at least %s)."
        .formatted(
            over,
            under,
            metric,
            number(
                medians.getOrDefault(over, Double.NaN) / medians.getOrDefault(under, Double.NaN)),
            wanted);
  }

  /** The deepest fall of the rate below what fewer workers reached. */
  private String fall() {
    double best = 0;
    double deepest = 0;
    for (double rate : medians("workers,", RATE).values()) {
      best = Math.max(best, rate);
      deepest = Math.max(deepest, 1 - rate / best);
    }
    return "workers: the rate falls by %s %% at most below that of fewer workers (wanted: at most 10)."
        .formatted(number(100 * deepest));
  }

  private String wear(String load) {
    List<Double> rates = List.copyOf(medians(load, RATE).values());
    List<Double> claims = List.copyOf(medians(load, CLAIM).values());
    return "%s: at the end the rate is %s times and a claim takes %s times that of the start (wanted:"
            .formatted(
                load, number(last(rates) / rates.get(0)), number(last(claims) / claims.get(0)))
        + " at least 0.67, at most 1.5).";
  }

  /** The best of each against each other. */
  private String rival() {
    Map<String, Double> medians = medians(RIVAL, RATE);
    return "%s, the best of each: this queue completes %s times the rival's jobs a second (wanted: at least 2)."
        .formatted(RIVAL, number(best(medians, OURS) / best(medians, THEIRS)));
  }

  private static double best(Map<String, Double> medians, String name) {
    return medians.entrySet().stream()
        .filter(each -> each.getKey().startsWith(name))
        .mapToDouble(Map.Entry::getValue)
        .max()
        .orElse(Double.NaN);
  }

  private static double last(List<Double> values) {
    return values.get(values.size() - 1);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
