package dev.ingest.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.plan.Backoff;
import dev.ingest.testkit.PostgresProxy;
import dev.ingest.testkit.ProxyLink;
import dev.ingest.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

class JobWorkersIT {
  @RegisterExtension static final QueueExtension QUEUE = new QueueExtension();

  private static final Duration NEVER = Duration.ofHours(1);
  private static final HandlerSettings QUICK_RETRY =
      HandlerSettings.DEFAULT
          .poll(Duration.ofMillis(20))
          .retry(new RetryPolicy(new Backoff(Duration.ofMillis(1), Duration.ofMillis(10))));

  private final JobLog log = new JobLog();
  private final Map<String, AtomicInteger> handled = new ConcurrentHashMap<>();

  @BeforeAll
  static void createEffect(TestDatabase database) {
    database.execute("CREATE TABLE effect (job text)");
  }

  @BeforeEach
  void empty(TestDatabase database) {
    database.execute("TRUNCATE effect");
  }

  private void count(Job job) {
    handled.computeIfAbsent(job.text(), text -> new AtomicInteger()).incrementAndGet();
  }

  private static void enqueue(TestDatabase database, int jobs) throws SQLException {
    try (QueueSession session = QueueSession.open(database)) {
      session.queue().enqueue(session.connection(), QueueSession.numbered("q", 1, jobs));
    }
  }

  @Test
  void everyJobIsHandledOnceAndIsOver(TestDatabase database) throws SQLException {
    enqueue(database, 1000);

    HandlerSettings settings = HandlerSettings.DEFAULT.threads(4).batch(50);
    try (JobWorkers workers =
        JobWorkers.on(database.dataSource())
            .handle("q", settings, this::count)
            .listener(log)
            .start()) {
      log.awaitCompleted(1000);
    }

    assertThat(handled).hasSize(1000).allSatisfy((text, times) -> assertThat(times).hasValue(1));
    assertThat(database.count("SELECT count(*) FROM ingest.job")).isZero();
    assertThat(database.count("SELECT count(*) FROM ingest.job_done")).isEqualTo(1000);
  }

  @Test
  void aJobThatFailsIsTriedAgainAndInTheEndGivenUp(TestDatabase database) throws SQLException {
    try (QueueSession session = QueueSession.open(database)) {
      session.enqueue(NewJob.of("q").text("secret").maxAttempts(3), NewJob.of("q").text("good"));
    }

    try (JobWorkers workers =
        JobWorkers.on(database.dataSource())
            .handle("q", QUICK_RETRY, this::failOnSecret)
            .listener(log)
            .start()) {
      log.awaitLine("failed q attempt=3 GiveUp");
      log.awaitCompleted(1);
    }

    assertThat(log.lines()).contains("failed q attempt=1 Again", "failed q attempt=2 Again");
    assertThat(database.column("SELECT last_error FROM ingest.job WHERE status = 'failed'"))
        .containsExactly("java.lang.StackOverflowError: secret");
  }

  private void failOnSecret(Job job) {
    count(job);
    if (job.text().equals("secret")) {
      throw new StackOverflowError(job.text());
    }
  }

  @Test
  void workInTheTransactionIsUndoneWithItsJobAndDoneOnce(TestDatabase database)
      throws SQLException {
    enqueue(database, 60);

    try (JobWorkers workers =
        JobWorkers.on(database.dataSource())
            .handleInTransaction("q", QUICK_RETRY.threads(3).batch(10), this::writeOrFailOnce)
            .listener(log)
            .start()) {
      log.awaitCompleted(60);
    }

    assertThat(database.count("SELECT count(*) FROM effect")).isEqualTo(60);
    assertThat(database.count("SELECT count(DISTINCT job) FROM effect")).isEqualTo(60);
    assertThat(log.lines()).filteredOn(line -> line.startsWith("failed")).hasSize(6);
    assertThat(database.deadlocks()).isZero();
  }

  /** Every tenth job fails the first time, after it has written. */
  private void writeOrFailOnce(Connection connection, Job job) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO effect VALUES ('" + job.text() + "')");
    }
    if (job.text().endsWith("0") && job.attempt() == 1) {
      throw new IllegalStateException("first time");
    }
  }

  @Test
  void aNotificationWakesAnIdleWorkerAndABatchSendsOne(TestDatabase database) throws Exception {
    HandlerSettings idle = HandlerSettings.DEFAULT.poll(NEVER);
    try (JobWorkers workers =
            JobWorkers.on(database.dataSource())
                .handle("q", idle, this::count)
                .listen(database.dataSource())
                .listener(log)
                .start();
        QueueSession session = QueueSession.transaction(database);
        QueueSession witness = QueueSession.open(database)) {
      awaitListener(database);
      try (Statement listen = witness.connection().createStatement()) {
        listen.execute("LISTEN " + JobQueue.CHANNEL);
      }

      session.queue().enqueueAndNotify(session.connection(), QueueSession.numbered("q", 1, 100));
      session.commit();

      log.awaitCompleted(100);
      assertThat(heard(witness)).containsExactly("q");

      List<NewJob> several = List.of(NewJob.of("q").text("x"), NewJob.of("other"), NewJob.of("r"));
      session.queue().enqueueAndNotify(session.connection(), several);
      session.commit();

      log.awaitCompleted(101);
      assertThat(heard(witness)).containsExactly("");
    }
  }

  private static List<String> heard(QueueSession witness) throws SQLException {
    var heard = witness.connection().unwrap(PGConnection.class).getNotifications(5000);
    return Stream.of(heard).map(PGNotification::getParameter).toList();
  }

  private static void awaitListener(TestDatabase database) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                database.count(
                        "SELECT count(*) FROM pg_stat_activity"
                            + " WHERE query LIKE 'LISTEN%' AND state = 'idle'")
                    > 0);
  }

  @Test
  void aLongJobKeepsItsLease(TestDatabase database) throws Exception {
    enqueue(database, 1);
    CountDownLatch release = new CountDownLatch(1);

    HandlerSettings shortLease = HandlerSettings.DEFAULT.lease(Duration.ofSeconds(1));
    try (JobWorkers workers =
        JobWorkers.on(database.dataSource())
            .handle("q", shortLease, job -> release.await())
            .listener(log)
            .start()) {
      log.awaitLine("claimed q 1");
      String left =
          "SELECT count(*) FROM ingest.job WHERE lease_until > enqueued_at + interval '3 s'";
      await().atMost(Duration.ofSeconds(30)).until(() -> database.count(left) == 1);
      release.countDown();
      log.awaitCompleted(1);
    }

    assertThat(log.lines())
        .noneMatch(line -> line.startsWith("expired") || line.startsWith("lost"));
  }

  @Test
  void closingLetsRunningJobsFinishAndGivesTheOthersBack(TestDatabase database) throws Exception {
    enqueue(database, 10);
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    JobWorkers workers =
        JobWorkers.on(database.dataSource())
            .handle(
                "q",
                job -> {
                  started.countDown();
                  release.await();
                })
            .listener(log)
            .start();
    started.await();

    Thread closer = new Thread(workers::close);
    closer.start();
    String givenBack = "SELECT count(*) FROM ingest.job WHERE status = 'waiting' AND attempts = 0";
    await().atMost(Duration.ofSeconds(30)).until(() -> database.count(givenBack) == 9);
    release.countDown();
    closer.join();

    assertThat(log.completed()).isEqualTo(1);
    assertThat(database.count("SELECT count(*) FROM ingest.job")).isEqualTo(9);
  }

  @Test
  void aLostReplyToTheCommitOfAClaimRunsNothingTwice(TestDatabase database) throws Exception {
    enqueue(database, 5);
    try (PostgresProxy proxy = PostgresProxy.to(database.server())) {
      proxy.afterNextCommit(ProxyLink::cut);
      try (JobWorkers workers =
          JobWorkers.on(database.dataSource(proxy))
              .handle("q", this::count)
              .listener(log)
              .start()) {
        log.awaitCompleted(5);
      }
    }

    assertThat(log.lines()).anyMatch(line -> line.startsWith("database failed"));
    assertThat(handled.values()).allSatisfy(times -> assertThat(times).hasValue(1));
    assertThat(log.lost()).isZero();
  }

  @Test
  void aLostReplyToTheCommitOfOutcomesIsHarmless(TestDatabase database) throws Exception {
    enqueue(database, 5);
    CountDownLatch release = new CountDownLatch(1);
    try (PostgresProxy proxy = PostgresProxy.to(database.server());
        JobWorkers workers =
            JobWorkers.on(database.dataSource(proxy))
                .handle(
                    "q",
                    job -> {
                      release.await();
                      count(job);
                    })
                .listener(log)
                .start()) {
      log.awaitLine("claimed");
      proxy.afterNextCommit(ProxyLink::cut);
      release.countDown();
      log.awaitCompleted(5);
      assertThat(proxy.isArmed()).isFalse();
    }

    assertThat(handled.values()).allSatisfy(times -> assertThat(times).hasValue(1));
    assertThat(database.count("SELECT count(*) FROM ingest.job_done")).isEqualTo(5);
  }

  @Test
  void threeLinesAreEnough(TestDatabase database) throws SQLException {
    enqueue(database, 1);
    List<String> mailed = new CopyOnWriteArrayList<>();

    JobWorkers workers =
        JobWorkers.on(database.dataSource()).handle("q", job -> mailed.add(job.text())).start();

    await().atMost(Duration.ofSeconds(30)).until(() -> mailed.equals(List.of("1")));
    workers.close();
  }
}
