package dev.ingest.app.bench.queue;

import dev.ingest.app.bench.BenchFailure;
import dev.ingest.app.bench.BenchServers;
import dev.ingest.app.bench.Environment;
import dev.ingest.app.bench.Percentiles;
import dev.ingest.app.bench.Rounds;
import dev.ingest.app.bench.report.Chart;
import dev.ingest.app.bench.report.Metric;
import dev.ingest.app.bench.report.Report;
import dev.ingest.app.bench.report.Sample;
import dev.ingest.queue.JobQueue;
import dev.ingest.queue.NewJob;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** The queue's measurements, one part after the other, contestants of a part in turn. */
public final class QueueBench {
  private static final List<Metric> METRICS =
      List.of(
          new Metric("jobs_per_second", "jobs/s", 0),
          new Metric("claim_p50_ms", "claim+done p50 ms", 2),
          new Metric("claim_p99_ms", "p99 ms", 2),
          new Metric("seconds", "s", 1),
          new Metric(Verdicts.WAIT, "wait for a job ms", 2),
          new Metric(Verdicts.ONE_CLAIM, "claim of 1 p50 ms", 3),
          new Metric(Verdicts.INDEX_SIZE, "index kB", 0));
  private static final int USUAL_BATCH = 20;
  private static final int LARGE_BATCH = 100;
  private static final int ENQUEUED_AT_ONCE = 5000;
  private static final int WORKERS_TIMES = 5;
  private static final int LOCKING_SHARE = 5;
  private static final int ONE_TABLE_WAITING = 1000;
  private static final List<Integer> RIVAL_THREADS = List.of(20, 50);

  private final QueuePlan plan;
  private final BenchServers servers;
  private final PrintWriter out;
  private final List<Sample> samples = new ArrayList<>();

  public QueueBench(QueuePlan plan, BenchServers servers, PrintWriter out) {
    this.plan = plan;
    this.servers = servers;
    this.out = out;
  }

  /** Runs everything; some minutes. */
  public Report run() {
    Map<String, String> environment = Environment.of(servers);
    warmUp();
    for (int round = 1; round <= plan.rounds(); round++) {
      for (Part part : plan.parts()) {
        run(part, round);
      }
    }
    return new Report(
        "queue",
        "The work queue: jobs of about 200 bytes that do nothing, claimed under a lease and completed,"
            + " each in a transaction of its own.",
        environment,
        settings(),
        "",
        METRICS,
        List.of(Chart.bars("Rate", "jobs_per_second"), Chart.bars("Claim", "claim_p50_ms")),
        new Verdicts(samples, plan).notes(),
        samples);
  }

  /** A fast run takes a second, much of which would be compilation. */
  private void warmUp() {
    prepare(plan.warmUpJobs());
    race(product(LARGE_BATCH), plan.workers(), plan.warmUpJobs());
    if (plan.parts().contains(Part.RIVAL)) {
      prepare(plan.jobs() / 2);
      var unused = HandlerRace.seconds(servers.database(), plan.jobs() / 2, RIVAL_THREADS.get(0));
    }
  }

  private void run(Part part, int round) {
    switch (part) {
      case BATCH -> Rounds.inTurn(plan.batches(), round).forEach(size -> batch(size, round));
      case WORKERS ->
          Rounds.inTurn(plan.workerCounts(), round).forEach(count -> workers(count, round));
      case LOCKING -> Rounds.inTurn(List.of(true, false), round).forEach(skip -> lock(skip, round));
      case INDEX ->
          Rounds.inTurn(List.of(true, false), round).forEach(index -> index(index, round));
      case WEAR -> {
        finished(round);
        snapshot(round);
      }
      case RIVAL -> Rounds.inTurn(RIVAL_THREADS, round).forEach(count -> rival(count, round));
    }
  }

  private void rival(int threads, int round) {
    String many = ", " + threads + " threads";
    prepare(plan.jobs());
    double ours = HandlerRace.seconds(servers.database(), plan.jobs(), threads);
    add(Verdicts.RIVAL, Verdicts.OURS + many, round, outcome(ours));
    plan.rival()
        .ifPresent(
            program -> {
              double theirs = RivalRace.seconds(program, servers.database(), plan.jobs(), threads);
              add(Verdicts.RIVAL, Verdicts.THEIRS + many, round, outcome(theirs));
            });
  }

  private QueueRace.Outcome outcome(double seconds) {
    return new QueueRace.Outcome(plan.jobs(), seconds, new Percentiles());
  }

  private void batch(int size, int round) {
    prepare(plan.jobs());
    add(
        "batch, " + plan.workers() + " workers",
        "batch " + size,
        round,
        race(product(size), plan.workers(), plan.jobs()));
  }

  /** So many jobs that the first statements of up to 64 new connections do not decide. */
  private void workers(int count, int round) {
    int jobs = plan.jobs() * WORKERS_TIMES;
    prepare(jobs);
    add(
        "workers, batch " + USUAL_BATCH,
        count == 1 ? "1 worker" : count + " workers",
        round,
        race(product(USUAL_BATCH), count, jobs));
  }

  /** A fifth of the jobs: those who wait for each other take their time. */
  private void lock(boolean skip, int round) {
    int jobs = plan.jobs() / LOCKING_SHARE;
    prepare(jobs);
    double wait = LockWait.millis(servers.database(), skip, plan.heldSeconds());
    add(
        "locks, 2 ms of work a batch of " + USUAL_BATCH,
        skip ? Verdicts.SKIP_LOCKED : Verdicts.FOR_UPDATE,
        round,
        race(() -> new HandWrittenClaimer(USUAL_BATCH, skip), plan.workers(), jobs),
        Map.of(Verdicts.WAIT, wait));
  }

  private void index(boolean partial, int round) {
    OneTable.create(servers.database(), plan.oneTableDone(), ONE_TABLE_WAITING, partial);
    double kilobytes = OneTable.indexKilobytes(servers.database());
    double claim = OneTable.claimMillis(servers.database());
    add(
        "index, %,d waiting among %,d done".formatted(ONE_TABLE_WAITING, plan.oneTableDone()),
        partial ? Verdicts.PARTIAL_INDEX : Verdicts.PRIMARY_KEY,
        round,
        race(() -> new OneTableClaimer(USUAL_BATCH), 1, ONE_TABLE_WAITING),
        Map.of(Verdicts.ONE_CLAIM, claim, Verdicts.INDEX_SIZE, kilobytes));
  }

  private void finished(int round) {
    for (int finished : List.of(0, plan.finished())) {
      prepare(plan.jobs());
      servers
          .database()
          .execute(
              "INSERT INTO ingest.job_done (id, queue, outcome, attempts, enqueued_at)"
                  + " SELECT i, 'bench', 'done', 1, now() FROM generate_series(1, %d) AS i"
                      .formatted(finished),
              "CHECKPOINT");
      add(
          Verdicts.FINISHED,
          "%,d finished".formatted(finished),
          round,
          race(product(LARGE_BATCH), plan.workers(), plan.jobs()));
    }
  }

  private void snapshot(int round) {
    JobQueue queue = new JobQueue();
    prepare(0);
    try (Connection old = servers.database().connect();
        Statement statement = old.createStatement()) {
      old.setAutoCommit(false);
      old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      statement.execute("SELECT count(*) FROM ingest.job");
      for (int done = 0; done <= plan.snapshotJobs(); done += plan.jobs()) {
        enqueue(plan.jobs());
        QueueRace.Outcome outcome =
            race(() -> new ProductClaimer(queue, LARGE_BATCH), plan.workers(), plan.jobs());
        add(Verdicts.SNAPSHOT, "after %,d jobs".formatted(done), round, outcome);
      }
      old.rollback();
    } catch (SQLException failed) {
      throw BenchFailure.of("holding a snapshot", failed);
    }
  }

  /** One queue for all workers of a run, as a process has it. */
  private static Supplier<Claimer> product(int batch) {
    JobQueue queue = new JobQueue();
    return () -> new ProductClaimer(queue, batch);
  }

  private QueueRace.Outcome race(Supplier<Claimer> claimers, int workers, int jobs) {
    return new QueueRace(servers.database(), claimers, workers, jobs).run();
  }

  private void prepare(int jobs) {
    servers.database().execute("TRUNCATE ingest.job, ingest.job_done");
    enqueue(jobs);
    servers.database().execute("CHECKPOINT");
  }

  private void enqueue(int jobs) {
    NewJob job = NewJob.of(ProductClaimer.QUEUE).text("x".repeat(200));
    try (Connection connection = servers.database().connect()) {
      for (int left = jobs; left > 0; left -= ENQUEUED_AT_ONCE) {
        new JobQueue()
            .enqueue(connection, Collections.nCopies(Math.min(left, ENQUEUED_AT_ONCE), job));
      }
    } catch (SQLException failed) {
      throw BenchFailure.of("enqueuing", failed);
    }
  }

  private void add(String load, String contestant, int round, QueueRace.Outcome outcome) {
    add(load, contestant, round, outcome, Map.of());
  }

  private void add(
      String load,
      String contestant,
      int round,
      QueueRace.Outcome outcome,
      Map<String, Double> more) {
    Map<String, Double> values = new LinkedHashMap<>(more);
    values.put("jobs_per_second", outcome.rate());
    values.put("claim_p50_ms", outcome.millis().at(0.5));
    values.put("claim_p99_ms", outcome.millis().at(0.99));
    values.put("seconds", outcome.seconds());
    samples.add(new Sample(contestant, load, round, values));
    out.printf(
        Locale.ROOT,
        "round %d  %-36s %-20s %,9.0f jobs/s  p50 %,8.2f ms%n",
        round,
        load,
        contestant,
        outcome.rate(),
        outcome.millis().at(0.5));
    out.flush();
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("jobs of a run", Integer.toString(plan.jobs()));
    settings.put("jobs of the warm-up", Integer.toString(plan.warmUpJobs()));
    settings.put("workers", Integer.toString(plan.workers()));
    settings.put("finished jobs", Integer.toString(plan.finished()));
    settings.put("jobs under a snapshot", Integer.toString(plan.snapshotJobs()));
    settings.put("rounds", Integer.toString(plan.rounds()));
    return settings;
  }
}
