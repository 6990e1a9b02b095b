package dev.ingest.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.plan.Backoff;
import dev.ingest.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Jobs whose work meets a state that speaks of the server: where it is the job, it ends as failed
 * and holds nobody up; where it is the server, no attempt is used up.
 */
class ServerFaultIT {
  @RegisterExtension static final QueueExtension QUEUE = new QueueExtension();

  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final HandlerSettings QUICK =
      HandlerSettings.DEFAULT
          .poll(Duration.ofMillis(20))
          .retry(new RetryPolicy(new Backoff(Duration.ofMillis(1), Duration.ofMillis(10))));

  /** Jobs with the name of a state; at the commit a trigger raises it. */
  private static final List<String> STATES =
      List.of("53100", "53200", "53300", "57P01", "58030", "42501", "25006", "08006", "25P03");

  private final JobLog log = new JobLog();

  @BeforeAll
  static void createEffect(TestDatabase database) {
    database.execute("CREATE TABLE effect (job text)");
    database.execute(
        """
        CREATE SEQUENCE conflicts;
        CREATE FUNCTION judge() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF NEW.job = 'conflict' AND nextval('conflicts') < 5 THEN
            RAISE 'in the way' USING ERRCODE = '40001'; END IF;
          IF NEW.job ~ '^[0-9A-Z]{5}$' THEN
            RAISE 'refused' USING ERRCODE = NEW.job; END IF;
          RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER judge AFTER INSERT ON effect DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION judge()""");
  }

  @BeforeEach
  void empty(TestDatabase database) {
    database.execute("TRUNCATE effect");
  }

  private static void enqueue(QueueSession session, List<String> texts) throws SQLException {
    List<NewJob> jobs = new ArrayList<>();
    texts.forEach(text -> jobs.add(NewJob.of("q").text(text).maxAttempts(2)));
    session.queue().enqueue(session.connection(), jobs);
  }

  private static void insert(Connection connection, Job job) throws SQLException {
    execute(connection, "INSERT INTO effect VALUES ('" + job.text() + "')");
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private JobWorkers work(TestDatabase database, TransactionHandler handler) {
    return JobWorkers.on(database.dataSource())
        .handleInTransaction("q", QUICK.batch(10), handler)
        .listener(log)
        .start();
  }

  /** Others come while it lasts, as they do in life. */
  private static void awaitFailedWhileOthersCome(
      QueueSession session, TestDatabase database, int failed) {
    await()
        .atMost(LONGEST)
        .until(
            () -> {
              enqueue(session, List.of("good"));
              return failed(database) == failed;
            });
  }

  private static long failed(TestDatabase database) {
    return database.count("SELECT count(*) FROM ingest.job WHERE status = 'failed'");
  }

  @Test
  void aTriggerThatRefusesTheCommitInTheServersNameHoldsNobodyUpAndItsJobFails(
      QueueSession session, TestDatabase database) throws SQLException {
    enqueue(session, STATES);
    enqueue(session, List.of("one", "two", "three"));

    try (JobWorkers workers = work(database, ServerFaultIT::insert)) {
      log.awaitCompleted(3);
      awaitFailedWhileOthersCome(session, database, STATES.size());
    }

    assertThat(database.column("SELECT DISTINCT attempts FROM ingest.job WHERE status = 'failed'"))
        .containsExactly(2);
    assertThat(database.column("SELECT last_error FROM ingest.job WHERE status = 'failed'"))
        .allSatisfy(error -> assertThat(error).asString().contains("refused"));
    assertThat(database.count("SELECT count(*) FROM effect WHERE job <> 'good'")).isEqualTo(3);
  }

  @Test
  void aConflictAtTheCommitUsesUpNoAttempt(QueueSession session, TestDatabase database)
      throws SQLException {
    enqueue(session, List.of("conflict"));

    try (JobWorkers workers = work(database, ServerFaultIT::insert)) {
      await()
          .atMost(LONGEST)
          .until(
              () -> {
                enqueue(session, List.of("good"));
                return database.count("SELECT count(*) FROM effect WHERE job = 'conflict'") == 1;
              });
    }

    assertThat(database.column("SELECT DISTINCT attempts FROM ingest.job_done")).containsExactly(0);
    assertThat(log.lines()).noneMatch(line -> line.startsWith("failed"));
  }

  /** As our own session does that is lost and has not heard of it. */
  @Test
  void aRowThatStaysLockedHoldsNobodyUpAndWhatCountsIsRecordedLater(
      QueueSession session, TestDatabase database) throws Exception {
    session.queue().enqueue(session.connection(), List.of(NewJob.of("q").text("x").maxAttempts(1)));
    enqueue(session, List.of("y", "one", "two"));
    List<String> handled = new CopyOnWriteArrayList<>();
    try (QueueSession x = QueueSession.transaction(database);
        QueueSession y = QueueSession.transaction(database);
        JobWorkers workers =
            work(
                database,
                (connection, job) -> {
                  handled.add(job.text());
                  if (job.text().equals("x")) {
                    x.lockNext(database, job);
                    throw new IllegalStateException("its own");
                  }
                  if (job.text().equals("y") && Collections.frequency(handled, "y") == 1) {
                    y.lockNext(database, job);
                    throw new SQLException("the server's", "53100");
                  }
                })) {
      log.awaitCompleted(2);
      assertThat(log.lines()).noneMatch(line -> line.startsWith("failed"));
      x.rollback();
      y.rollback();
      log.awaitCompleted(3);
      log.awaitLine("failed q attempt=1 GiveUp");
    }

    assertThat(handled).filteredOn("x"::equals).hasSize(1);
    assertThat(handled).filteredOn("y"::equals).hasSize(2);
    assertThat(database.column("SELECT DISTINCT attempts FROM ingest.job_done")).containsExactly(0);
  }

  @Test
  void aJobThatEndsItsOwnSessionHoldsNobodyUpAndFails(QueueSession session, TestDatabase database)
      throws SQLException {
    enqueue(session, List.of("end", "one", "two"));

    try (JobWorkers workers =
        work(
            database,
            (connection, job) -> {
              insert(connection, job);
              if (job.text().equals("end")) {
                execute(connection, "SELECT pg_terminate_backend(pg_backend_pid())");
              }
            })) {
      log.awaitCompleted(2);
      awaitFailedWhileOthersCome(session, database, 1);
    }

    assertThat(database.count("SELECT count(*) FROM effect WHERE job = 'end'")).isZero();
  }

  @Test
  void aJobThatClosesItsConnectionOrInterruptsItsThreadHoldsNobodyUp(
      QueueSession session, TestDatabase database) throws SQLException {
    enqueue(session, List.of("close", "interrupt", "one", "two"));

    try (JobWorkers workers =
        work(
            database,
            (connection, job) -> {
              if (job.text().equals("close")) {
                connection.close();
              } else if (job.text().equals("interrupt")) {
                Thread.currentThread().interrupt();
              }
            })) {
      log.awaitCompleted(3);
      awaitFailedWhileOthersCome(session, database, 1);
    }
  }

  @Test
  void aJobWithoutOthersFailsTooWhileTheServerTakesWrites(
      QueueSession session, TestDatabase database) throws SQLException {
    enqueue(session, List.of("53100"));

    try (JobWorkers workers = work(database, ServerFaultIT::insert)) {
      await().atMost(LONGEST).until(() -> failed(database) == 1);
    }

    assertThat(log.lines())
        .filteredOn(line -> line.startsWith("database failed"))
        .as("tries that did not count")
        .hasSize(2 * (Suspects.ALONE - 1));
  }

  @Test
  void anOutageThatAllJobsMeetUsesUpNoAttempt(QueueSession session, TestDatabase database)
      throws SQLException {
    enqueue(session, List.of("one", "two", "three"));
    database.execute("ALTER TABLE effect RENAME TO away");
    AtomicInteger handled = new AtomicInteger();

    try (JobWorkers workers =
        work(
            database,
            (connection, job) -> {
              handled.incrementAndGet();
              insert(connection, job);
            })) {
      await().atMost(LONGEST).until(() -> handled.get() > 5);
      database.execute("ALTER TABLE away RENAME TO effect");
      log.awaitCompleted(3);
    }

    assertThat(database.column("SELECT DISTINCT attempts FROM ingest.job_done")).containsExactly(0);
    assertThat(log.lines()).noneMatch(line -> line.startsWith("failed"));
  }

  @Test
  void errorsOfADriverAndListenersThatThrowStopNobody(QueueSession session, TestDatabase database)
      throws Exception {
    enqueue(session, List.of("1", "2", "3"));
    session.enqueue(NewJob.of("short").text("4"));
    AtomicInteger errors = new AtomicInteger(4);
    List<String> handled = new CopyOnWriteArrayList<>();
    PGSimpleDataSource failing =
        new PGSimpleDataSource() {
          @Override
          public Connection getConnection() throws SQLException {
            if (errors.getAndDecrement() > 0) {
              throw new OutOfMemoryError("of the test");
            }
            return super.getConnection();
          }
        };
    failing.setUrl(database.url());
    failing.setUser(database.user());
    failing.setPassword(database.password());

    try (JobWorkers workers =
        JobWorkers.on(failing)
            .handle("q", QUICK.lease(Duration.ofDays(100)), job -> handled.add(job.text()))
            .handleInTransaction("short", QUICK, (connection, job) -> handled.add(job.text()))
            .listener(
                new JobEvents() {
                  @Override
                  public void handled(Job job, Duration took) {
                    throw new IllegalStateException("a listener of the test");
                  }

                  @Override
                  public void databaseFailed(String what, Exception cause, Duration pause) {
                    throw new StackOverflowError("a listener of the test");
                  }
                })
            .listener(log)
            .start()) {
      log.awaitCompleted(4);
    }

    assertThat(handled).containsExactlyInAnyOrder("1", "2", "3", "4");
  }
}
