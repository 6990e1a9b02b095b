package dev.ingest.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.plan.Backoff;
import dev.ingest.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** All that can be done to jobs at once: nobody waits in a circle, and each job ends one way. */
class JobStormIT {
  @RegisterExtension static final QueueExtension QUEUE = new QueueExtension();

  private static final int JOBS = 1500;
  private static final int HANDS = 2;
  private static final HandlerSettings SETTINGS =
      HandlerSettings.DEFAULT
          .threads(2)
          .batch(10)
          .poll(Duration.ofMillis(10))
          .retry(new RetryPolicy(new Backoff(Duration.ofMillis(1), Duration.ofMillis(5))));

  private final long seed = ThreadLocalRandom.current().nextLong();
  private final Set<String> handled = ConcurrentHashMap.newKeySet();
  private final Set<Long> cancelled = ConcurrentHashMap.newKeySet();
  private volatile boolean over;

  /** People, reapers and purgers beside workers of both kinds, one of five jobs failing once. */
  @Test
  void noDeadlockAndEachJobIsHandledOrCancelled(TestDatabase database) throws Exception {
    database.execute("CREATE TABLE effect (job text PRIMARY KEY)");
    try (QueueSession session = QueueSession.open(database)) {
      session.queue().enqueue(session.connection(), jobs());
    }
    List<JobWorkers> workers = new ArrayList<>();
    ExecutorService people = Executors.newFixedThreadPool(HANDS);
    List<Future<?>> busy = new ArrayList<>();
    try {
      for (int i = 0; i < 2; i++) {
        workers.add(
            JobWorkers.on(database.dataSource())
                .handle("long", SETTINGS, this::workLong)
                .handleInTransaction("short", SETTINGS, JobStormIT::workShort)
                .start());
      }
      for (int i = 0; i < HANDS; i++) {
        SplittableRandom random = new SplittableRandom(seed + i);
        busy.add(people.submit(() -> interfere(database, random)));
      }
      await("seed " + seed)
          .atMost(Duration.ofSeconds(60))
          .until(() -> database.count("SELECT count(*) FROM ingest.job") == 0);
    } finally {
      over = true;
      workers.forEach(JobWorkers::close);
      people.shutdown();
    }
    for (Future<?> each : busy) {
      each.get(30, TimeUnit.SECONDS);
    }

    assertThat(handled.size() + cancelled.size() + database.count("SELECT count(*) FROM effect"))
        .as("seed %d", seed)
        .isEqualTo(JOBS);
    assertThat(database.deadlocks()).as("deadlocks, seed %d", seed).isZero();
  }

  private static List<NewJob> jobs() {
    return IntStream.range(0, JOBS)
        .mapToObj(
            i ->
                NewJob.of(i % 2 == 0 ? "long" : "short")
                    .text(Integer.toString(i))
                    .key("k" + i)
                    .maxAttempts(1))
        .toList();
  }

  private void workLong(Job job) {
    failFirst(job);
    handled.add(job.text());
  }

  private static void workShort(Connection connection, Job job) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO effect VALUES (?)")) {
      statement.setString(1, job.text());
      statement.executeUpdate();
    }
    failFirst(job);
  }

  private static void failFirst(Job job) {
    if (job.attempt() == 1 && Integer.parseInt(job.text()) % 5 == 0) {
      throw new IllegalStateException("first time");
    }
  }

  private Void interfere(TestDatabase database, SplittableRandom random) throws SQLException {
    try (QueueSession session = QueueSession.open(database)) {
      while (!over) {
        long first = random.nextLong(JOBS);
        session.queue().retry(session.connection(), "long", 100, 1);
        session.queue().retry(session.connection(), "short", 100, 1);
        cancelled.addAll(
            session.queue().cancel(session.connection(), List.of(first + 3, first, first + 1)));
        session.queue().reap(session.connection(), 100);
        session.queue().purge(session.connection(), Duration.ZERO);
        session.queue().depth(session.connection());
      }
    }
    return null;
  }
}
