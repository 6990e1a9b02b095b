package dev.ingest.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * SIGKILL to random worker processes in the midst of their work. The defaults keep the build short;
 * the full trial is {@code -Dingest.test.workers.kills=100 -Dingest.test.workers.jobs=50000}.
 */
class WorkerKillIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private static final int KILLS = Integer.getInteger("ingest.test.workers.kills", 6);
  private static final int JOBS = Integer.getInteger("ingest.test.workers.jobs", 1500);
  private static final int PROCESSES = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /**
   * A lease of 2 s, and a reaper that comes every 7.5 s at the latest; the rest is for the load.
   */
  private static final double LONGEST_OVERDUE_SECONDS = 30;

  private static final String BEGUN =
      "SELECT count(*) FROM ingest.job WHERE worker LIKE ? || '#%' AND status = 'running'";
  private static final String OVERDUE =
      """
      SELECT coalesce(extract(epoch FROM clock_timestamp() - min(lease_until)), 0)::float8
      FROM ingest.job WHERE status = 'running'
      """;

  private final long seed = ThreadLocalRandom.current().nextLong();
  private final Random random = new Random(seed);
  private final List<WorkerProcess> workers = new ArrayList<>();
  private int started;
  private double longestOverdue;

  @Test
  void killedWorkersLoseNoJobAndShortOnesHappenOnce(TestDatabase database) throws Exception {
    Schema.create(database);
    database.execute(
        "CREATE TABLE effect_short (job integer); CREATE TABLE effect_long (job integer)");
    for (int i = 0; i < PROCESSES; i++) {
      start(database);
    }
    int inHand = 0;
    try {
      for (int kill = 0; kill < KILLS; kill++) {
        enqueue(database, JOBS * kill / KILLS, JOBS * (kill + 1) / KILLS);
        inHand += killOne(database);
        start(database);
      }
      await("all jobs to be done").atMost(PATIENCE).until(() -> isDone(database));
    } finally {
      for (WorkerProcess each : workers) {
        each.close();
      }
    }
    System.out.printf(
        "seed=%d kills=%d jobs=%d inHandWhenKilled=%d longestOverdue=%.1fs%n",
        seed, KILLS, JOBS, inHand, longestOverdue);

    assertThat(database.count("SELECT count(*) FROM effect_short")).isEqualTo(JOBS / 2);
    assertThat(database.count("SELECT count(DISTINCT job) FROM effect_short")).isEqualTo(JOBS / 2);
    assertThat(database.count("SELECT count(DISTINCT job) FROM effect_long"))
        .isEqualTo(JOBS - JOBS / 2);
    assertThat(database.count("SELECT count(*) FROM ingest.job_done WHERE outcome = 'done'"))
        .isEqualTo(JOBS);
    assertThat(longestOverdue).as("seconds beyond a lease").isLessThan(LONGEST_OVERDUE_SECONDS);
    assertThat(inHand).as("jobs in the hands of killed workers").isPositive();
  }

  private void start(TestDatabase database) {
    workers.add(WorkerProcess.start(database.url(), database.user(), "worker-" + ++started));
  }

  /** Even numbers are done in the transaction that holds them, odd ones under leases. */
  private static void enqueue(TestDatabase database, int from, int to) throws SQLException {
    try (Connection connection = database.connect()) {
      new JobQueue()
          .enqueue(
              connection,
              Stream.iterate(from, i -> i < to, i -> i + 1)
                  .map(
                      i ->
                          NewJob.of(i % 2 == 0 ? "short" : "long")
                              .text(Integer.toString(i))
                              .maxAttempts(1000))
                  .toList());
    }
  }

  /** One that is at work, at a moment that nobody chose. Returns how many jobs it had in hand. */
  private int killOne(TestDatabase database) throws InterruptedException {
    List<WorkerProcess> busy = new ArrayList<>();
    await("somebody at work")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(1 + random.nextInt(50)))
        .until(
            () -> {
              workers.stream().filter(each -> inHand(database, each) > 0).forEach(busy::add);
              return !busy.isEmpty() || isDone(database);
            });
    List<WorkerProcess> candidates = busy.isEmpty() ? workers : busy;
    WorkerProcess victim = candidates.get(random.nextInt(candidates.size()));
    workers.remove(victim);
    victim.kill();
    return (int) inHand(database, victim);
  }

  private static long inHand(TestDatabase database, WorkerProcess worker) {
    return database.count(BEGUN, worker.name());
  }

  private boolean isOverdue(TestDatabase database) {
    double seconds = (Double) database.column(OVERDUE).get(0);
    longestOverdue = Math.max(longestOverdue, seconds);
    return false;
  }

  private boolean isDone(TestDatabase database) {
    return !isOverdue(database) && database.count("SELECT count(*) FROM ingest.job") == 0;
  }
}
