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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.PGConnection;

/** Handlers and networks at their worst: no job blocks the others, none is run by two at once. */
class JobWorkersFaultIT {
  @RegisterExtension static final QueueExtension QUEUE = new QueueExtension();

  private static final HandlerSettings QUICK =
      HandlerSettings.DEFAULT
          .poll(Duration.ofMillis(20))
          .retry(new RetryPolicy(new Backoff(Duration.ofMillis(1), Duration.ofMillis(10))));

  private final JobLog log = new JobLog();
  private final List<String> handled = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void createEffect(TestDatabase database) {
    database.execute("CREATE TABLE effect (job text UNIQUE DEFERRABLE INITIALLY DEFERRED)");
    database.execute(
        """
        CREATE TABLE judged (state text);
        CREATE FUNCTION judge() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          RAISE 'refused' USING ERRCODE = NEW.state; END $$;
        CREATE CONSTRAINT TRIGGER judge AFTER INSERT ON judged DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION judge()""");
  }

  @BeforeEach
  void empty(TestDatabase database) {
    database.execute("TRUNCATE effect");
  }

  private static void enqueue(QueueSession session, int jobs) throws SQLException {
    List<NewJob> all = new ArrayList<>();
    QueueSession.numbered("q", 1, jobs).forEach(job -> all.add(job.maxAttempts(2)));
    session.queue().enqueue(session.connection(), all);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void aConstraintThatRefusesOnlyTheCommitCountsAgainstItsJobAlone(
      QueueSession session, TestDatabase database) throws SQLException {
    enqueue(session, 30);

    try (JobWorkers workers =
        JobWorkers.on(database.dataSource())
            .handleInTransaction("q", QUICK.batch(10), JobWorkersFaultIT::leaveTwoOfThree)
            .listener(log)
            .start()) {
      log.awaitLine("failed q attempt=2 GiveUp");
      log.awaitCompleted(29);
    }

    assertThat(database.count("SELECT count(DISTINCT job) FROM effect")).isEqualTo(29);
    assertThat(database.count("SELECT count(*) FROM effect")).isEqualTo(29);
    assertThat(database.column("SELECT last_error FROM ingest.job WHERE status = 'failed'"))
        .singleElement()
        .asString()
        .contains("effect_job_key");
    assertThat(log.lines()).noneMatch(line -> line.startsWith("database failed"));
  }

  private static void leaveTwoOfThree(Connection connection, Job job) throws SQLException {
    execute(connection, "INSERT INTO effect VALUES ('" + job.text() + "')");
    if (job.text().equals("3")) {
      execute(connection, "INSERT INTO effect VALUES ('3')");
    }
  }

  @Test
  void aTriggerThatRefusesTheCommitByAStateOfItsOwnCountsAgainstItsJobAlone(
      QueueSession session, TestDatabase database) throws SQLException {
    enqueue(session, 5);

    try (JobWorkers workers =
        JobWorkers.on(database.dataSource())
            .handleInTransaction(
                "q",
                QUICK.batch(5),
                (connection, job) -> {
                  if (job.text().equals("1")) {
                    execute(connection, "INSERT INTO judged VALUES ('APP01')");
                  }
                })
            .listener(log)
            .start()) {
      log.awaitLine("failed q attempt=2 GiveUp");
      log.awaitCompleted(4);
    }

    assertThat(database.count("SELECT count(*) FROM ingest.job_done")).isEqualTo(4);
    assertThat(database.count("SELECT count(*) FROM judged")).isZero();
    assertThat(log.lines()).noneMatch(line -> line.startsWith("database failed"));
  }

  @Test
  void anErrorThatAHandlerHidesCountsAgainstItsJobAlone(QueueSession session, TestDatabase database)
      throws SQLException {
    enqueue(session, 5);

    try (JobWorkers workers =
        JobWorkers.on(database.dataSource())
            .handleInTransaction(
                "q",
                QUICK,
                (connection, job) -> {
                  execute(connection, "INSERT INTO effect VALUES ('" + job.text() + "')");
                  if (job.text().equals("5")) {
                    hideAnError(connection);
                  }
                })
            .listener(log)
            .start()) {
      log.awaitLine("failed q attempt=2 GiveUp");
      log.awaitCompleted(4);
    }

    assertThat(database.count("SELECT count(*) FROM effect")).isEqualTo(4);
  }

  private static void hideAnError(Connection connection) {
    try {
      execute(connection, "SELECT 1 / 0");
    } catch (SQLException hidden) {
      assertThat(hidden.getSQLState()).isEqualTo("22012");
    }
  }

  @Test
  void anExceptionThatCannotBePrintedAndADelayWithoutEndAreOutcomesLikeOthers(
      QueueSession session, TestDatabase database) throws SQLException {
    enqueue(session, 3);

    try (JobWorkers workers =
        JobWorkers.on(database.dataSource())
            .handle("q", QUICK, JobWorkersFaultIT::failStrangely)
            .listener(log)
            .start()) {
      log.awaitLine("failed q attempt=2 GiveUp");
      log.awaitCompleted(1);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () ->
                  database.count(
                          "SELECT count(*) FROM ingest.job WHERE run_at > now() + interval '1 y'")
                      == 1);
    }
  }

  private static void failStrangely(Job job) throws JobFailedException {
    if (job.text().equals("1")) {
      throw new IllegalStateException() {
        @Override
        public String getMessage() {
          throw new NullPointerException("no message");
        }
      };
    }
    if (job.text().equals("2")) {
      throw JobFailedException.retryAfter("much later", Duration.ofSeconds(Long.MAX_VALUE));
    }
  }

  @Test
  void aClaimWhoseCommitNeverArrivedIsNotRunBesideTheOneThatTookTheJobsMeanwhile(
      QueueSession session, TestDatabase database) throws Exception {
    enqueue(session, 5);
    CountDownLatch cut = new CountDownLatch(1);
    List<Job> others = new ArrayList<>();
    try (PostgresProxy proxy = PostgresProxy.to(database.server())) {
      proxy.beforeNextCommit(
          link -> {
            proxy.refuse();
            cut.countDown();
          });
      try (JobWorkers workers =
          JobWorkers.on(database.dataSource(proxy))
              .handle("q", QUICK, job -> handled.add(job.text()))
              .listener(log)
              .start()) {
        assertThat(cut.await(30, TimeUnit.SECONDS)).isTrue();
        await()
            .atMost(Duration.ofSeconds(30))
            .until(() -> others.addAll(session.claim("q", 5)) && others.size() == 5);
        proxy.accept();
        session.enqueue(NewJob.of("q").text("next"));
        log.awaitCompleted(1);
      }
    }

    assertThat(handled).containsExactly("next");
    assertThat(session.queue().complete(session.connection(), others)).hasSize(5);
  }

  @Test
  void aBorrowedConnectionGoesBackAsItCame(TestDatabase database) throws SQLException {
    Site site = new Site(database.dataSource(), new JobQueue(), JobEvents.NONE, "worker");

    PGConnection driver =
        site.transact(
            Duration.ofSeconds(5),
            connection -> {
              PGConnection inside = connection.unwrap(PGConnection.class);
              assertThat(inside.getPrepareThreshold()).isZero();
              connection.commit();
              return inside;
            });

    assertThat(driver.getPrepareThreshold()).isEqualTo(5);
  }

  @Test
  void aLeaseThatRunsOutDuringTheWorkIsToldAndTheOthersOutcomeStands(
      QueueSession session, TestDatabase database) throws Exception {
    enqueue(session, 1);
    CountDownLatch release = new CountDownLatch(1);
    try (JobWorkers workers =
        JobWorkers.on(database.dataSource())
            .handle(
                "q",
                QUICK,
                job -> {
                  handled.add(job.text());
                  release.await();
                })
            .listener(log)
            .start()) {
      await().atMost(Duration.ofSeconds(30)).until(() -> handled.size() == 1);
      try (QueueSession other = QueueSession.transaction(database)) {
        execute( // the workers' own housekeeping, which reaps too, sees it only when it is over
            other.connection(), "UPDATE ingest.job SET lease_until = now() - interval '1 s'");
        other.queue().reap(other.connection(), 10);
        other.queue().complete(other.connection(), other.claim("q", 1));
        other.commit();
      }
      release.countDown();
      log.awaitLine("lost q 1");
      session.enqueue(NewJob.of("q").text("next"));
      log.awaitCompleted(1);
    }

    assertThat(handled).containsExactly("1", "next");
    assertThat(database.column("SELECT attempts FROM ingest.job_done ORDER BY id"))
        .containsExactly(2, 1);
  }

  @Test
  void aWakeIsNotLostWithTheClaimThatFailed(QueueSession session, TestDatabase database)
      throws Exception {
    HandlerSettings hourly = QUICK.poll(Duration.ofHours(1));
    try (PostgresProxy proxy = PostgresProxy.to(database.server());
        JobWorkers workers =
            JobWorkers.on(database.dataSource(proxy))
                .handle("q", hourly, job -> handled.add(job.text()))
                .listener(log)
                .start()) {
      enqueue(session, 1);
      workers.wake("q");
      log.awaitCompleted(1);
      enqueue(session, 1);
      proxy.beforeNextCommit(ProxyLink::cut);
      workers.wake("q");
      log.awaitCompleted(2);
    }

    assertThat(log.lines()).anyMatch(line -> line.startsWith("database failed"));
  }
}
