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
  static final String SKIP_LOCKED = "SKIP LOCKED";
  static final String FOR_UPDATE = "FOR UPDATE";
  static final String PARTIAL_INDEX = "partial index";
  static final String PRIMARY_KEY = "primary key";
  static final String WAIT = "wait_ms";
  static final String ONE_CLAIM = "claim_one_ms";
  static final String INDEX_SIZE = "index_kilobytes";
  static final String RIVAL = "handlers that do nothing";
  static final String OURS = "this queue";
  static final String THEIRS = "rival";
  private static final String RATE = "jobs_per_second";
  private static final String CLAIM = "claim_p50_ms";

  private final List<Sample> samples;
  private final QueuePlan plan;

  Verdicts(List<Sample> samples, QueuePlan plan) {
    this.samples = samples;
    this.plan = plan;
  }

  List<String> notes() {
    List<String> notes = new ArrayList<>();
    for (Part part : plan.parts()) {
      switch (part) {
        case BATCH -> notes.add(ratio("batch,", RATE, "batch 100", "batch 1", "40"));
        case WORKERS -> notes.add(fall());
        case LOCKING -> {
          notes.add(ratio("locks,", RATE, SKIP_LOCKED, FOR_UPDATE, "1"));
          notes.add(wait(plan.heldSeconds()));
        }
        case INDEX -> {
          notes.add(ratio("index,", CLAIM, PRIMARY_KEY, PARTIAL_INDEX, "1"));
          notes.add(index());
        }
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

  private String wait(double heldSeconds) {
    Map<String, Double> waits = medians("locks,", WAIT);
    return "locks: while a worker holds the first job for %s s, another one waits %s ms for a job by FOR UPDATE, %s ms by SKIP LOCKED."
        .formatted(
            number(heldSeconds),
            number(waits.getOrDefault(FOR_UPDATE, Double.NaN)),
            number(waits.getOrDefault(SKIP_LOCKED, Double.NaN)));
  }

  private String index() {
    Map<String, Double> claims = medians("index,", ONE_CLAIM);
    Map<String, Double> sizes = medians("index,", INDEX_SIZE);
    return "index: the statement that claims one job takes %s ms by the primary key (%s kB), %s ms by the partial index (%s kB)."
        .formatted(
            number(claims.getOrDefault(PRIMARY_KEY, Double.NaN)),
            number(sizes.getOrDefault(PRIMARY_KEY, Double.NaN)),
            number(claims.getOrDefault(PARTIAL_INDEX, Double.NaN)),
            number(sizes.getOrDefault(PARTIAL_INDEX, Double.NaN)));
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
