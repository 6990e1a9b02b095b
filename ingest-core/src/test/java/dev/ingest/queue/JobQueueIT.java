package dev.ingest.queue;

import static dev.ingest.queue.QueueSession.numbered;
import static dev.ingest.queue.QueueSession.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ingest.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class JobQueueIT {
  @RegisterExtension static final QueueExtension QUEUE = new QueueExtension();

  @Test
  void aJobComesBackAsItWasEnqueued(QueueSession session) throws SQLException {
    String text = "{\"a\": \"\\u0000 ∆ 😀\"}";
    session.enqueue(
        NewJob.of("mail").text(text).key("k ∆").attribute("trace", "a\"b").attribute("b", "ü"));

    Job job = session.claim("mail", 10).get(0);

    assertThat(job.text()).isEqualTo(text);
    assertThat(job.key()).contains("k ∆");
    assertThat(job.attributes()).containsOnlyKeys("trace", "b").containsEntry("trace", "a\"b");
    assertThat(job.attempt()).isEqualTo(1);
    assertThat(job.enqueuedAt()).isBetween(Instant.now().minusSeconds(60), Instant.now());
    assertThat(job.toString()).doesNotContain("∆").contains("mail");
  }

  @Test
  void bytesSurviveAndNoPayloadIsEmpty(QueueSession session) throws SQLException {
    byte[] bytes = {0, -1, 127, (byte) 0xC3, 0x28};
    session.enqueue(NewJob.of("raw").payload(bytes), NewJob.of("raw"));

    List<Job> jobs = session.claim("raw", 10);

    assertThat(jobs.get(0).payload()).isEqualTo(bytes);
    assertThat(jobs.get(1).payload()).isEmpty();
  }

  @Test
  void higherPriorityComesFirstThenTheOrderOfEnqueuing(QueueSession session) throws SQLException {
    session.enqueue(
        NewJob.of("q").text("1").priority(Priority.LOW),
        NewJob.of("q").text("2"),
        NewJob.of("q").text("3").priority(Priority.HIGH),
        NewJob.of("q").text("4"),
        NewJob.of("other").text("5").priority(Priority.HIGH),
        NewJob.of("q").text("6").priority(Priority.HIGH));

    assertThat(texts(session.claim("q", 3))).containsExactly("3", "6", "2");
    assertThat(texts(session.claim("q", 3))).containsExactly("4", "1");
    assertThat(session.claim("q", 3)).isEmpty();
  }

  @Test
  void aJobForLaterWaits(QueueSession session, TestDatabase database) throws SQLException {
    session.enqueue(
        NewJob.of("q").text("later").at(Instant.now().plusSeconds(3600)),
        NewJob.of("q").text("long ago").at(Instant.EPOCH));

    assertThat(texts(session.claim("q", 10))).containsExactly("long ago");

    database.execute("UPDATE ingest.job SET run_at = now() WHERE status = 'waiting'");
    assertThat(texts(session.claim("q", 10))).containsExactly("later");
  }

  @Test
  void enqueuingIsPartOfTheCallersTransaction(QueueSession session, TestDatabase database)
      throws SQLException {
    try (QueueSession caller = QueueSession.transaction(database)) {
      caller.enqueue(NewJob.of("q").text("undone"));
      assertThat(session.claim("q", 10)).isEmpty();
      caller.rollback();
      caller.enqueue(NewJob.of("q").text("done"));
      caller.commit();
    }

    assertThat(texts(session.claim("q", 10))).containsExactly("done");
  }

  @Test
  void twoSessionsNeverGetTheSameJob(QueueSession session, TestDatabase database)
      throws SQLException {
    session.queue().enqueue(session.connection(), numbered("q", 1, 30));
    try (QueueSession first = QueueSession.transaction(database);
        QueueSession second = QueueSession.transaction(database)) {
      List<Job> one = first.claim("q", 10);
      List<Job> other = second.hold("q", 10);

      assertThat(texts(one)).isEqualTo(texts(one.stream().sorted(JobQueueIT::byId).toList()));
      assertThat(other).doesNotContainAnyElementsOf(one).hasSize(10);
      assertThat(texts(session.claim("q", 100))).hasSize(10).startsWith("21");
    }
  }

  private static int byId(Job one, Job other) {
    return Long.compare(one.id(), other.id());
  }

  @Test
  void aClaimThatIsRolledBackLeavesTheJobsToOthers(QueueSession session, TestDatabase database)
      throws SQLException {
    session.queue().enqueue(session.connection(), numbered("q", 1, 3));
    try (QueueSession first = QueueSession.transaction(database)) {
      first.claim("q", 1);
      first.hold("q", 1);
      assertThat(texts(session.claim("q", 10))).containsExactly("3");
      first.rollback();
    }

    try (QueueSession second = QueueSession.open(database)) {
      List<Job> jobs = second.claim("q", 10);
      assertThat(texts(jobs)).containsExactly("1", "2");
      assertThat(jobs).extracting(Job::attempt).containsOnly(1);
    }
  }

  @Test
  void heldJobsNeedATransaction(QueueSession session) {
    assertThatThrownBy(() -> session.hold("q", 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("auto-commit");
  }

  @Test
  void completedJobsAreOver(QueueSession session, TestDatabase database) throws SQLException {
    session.queue().enqueue(session.connection(), numbered("q", 1, 3));
    List<Job> claimed = session.claim("q", 2);
    assertThat(session.queue().complete(session.connection(), claimed)).hasSize(2);
    try (QueueSession holder = QueueSession.transaction(database)) {
      assertThat(holder.queue().complete(holder.connection(), holder.hold("q", 2))).hasSize(1);
      holder.commit();
    }

    assertThat(database.count("SELECT count(*) FROM ingest.job")).isZero();
    assertThat(database.column("SELECT outcome || attempts FROM ingest.job_done ORDER BY id"))
        .containsExactly("done1", "done1", "done0");
    assertThat(session.queue().complete(session.connection(), claimed)).isEmpty();
  }

  @Test
  void aFailedJobGoesBehindTheOthersAndInTheEndOutOfTheWay(
      QueueSession session, TestDatabase database) throws SQLException {
    session.enqueue(NewJob.of("q").text("poison").maxAttempts(2), NewJob.of("q").text("good"));
    Job first = session.claim("q", 1).get(0);
    fail(session, first, new Verdict.Again(Duration.ofMillis(1)));

    List<Job> next = session.claim("q", 2);
    assertThat(texts(next)).containsExactly("good", "poison");
    assertThat(next.get(1).attempt()).isEqualTo(2);
    fail(session, next.get(1), RetryPolicy.DEFAULT.after(2, next.get(1).maxAttempts(), () -> 7));

    assertThat(session.claim("q", 10)).isEmpty();
    assertThat(database.column("SELECT last_error FROM ingest.job WHERE status = 'failed'"))
        .containsExactly("broken \uFFFD");
    assertThat(session.queue().retry(session.connection(), "q", 10, 1)).isEqualTo(1);
    assertThat(session.claim("q", 10)).extracting(Job::attempt).containsExactly(3);
  }

  private static void fail(QueueSession session, Job job, Verdict verdict) throws SQLException {
    assertThat(
            session
                .queue()
                .fail(session.connection(), List.of(new Failure(job, "broken \0", verdict))))
        .containsExactly(job.id());
  }

  @Test
  void aJobThatFailedWhileHeldCountsTheAttempt(QueueSession session, TestDatabase database)
      throws SQLException {
    session.enqueue(NewJob.of("q"));
    try (QueueSession holder = QueueSession.transaction(database)) {
      Job held = holder.hold("q", 1).get(0);
      assertThat(held.attempt()).isEqualTo(1);
      holder.rollback();
      Verdict again = new Verdict.Again(Duration.ofMillis(1));
      holder.queue().fail(holder.connection(), List.of(new Failure(held, "broken", again)));
      holder.commit();
      assertThat(holder.hold("q", 1)).extracting(Job::attempt).containsExactly(2);
    }
  }

  @Test
  void onlyIdleJobsAreCancelled(QueueSession session) throws SQLException {
    session.queue().enqueue(session.connection(), numbered("q", 1, 2));
    Job running = session.claim("q", 1).get(0);
    long waiting = running.id() + 1;

    assertThat(
            session.queue().cancel(session.connection(), List.of(running.id(), waiting, waiting)))
        .containsExactly(waiting);

    assertThat(session.claim("q", 10)).isEmpty();
    assertThat(session.queue().complete(session.connection(), List.of(running))).hasSize(1);
  }

  @Test
  void purgeForgetsOldJobsInSteps(QueueSession session, TestDatabase database) throws SQLException {
    database.execute(
        """
        INSERT INTO ingest.job_done (id, queue, outcome, attempts, enqueued_at, finished_at)
        SELECT i, 'q', 'done', 1, now(), now() - i * interval '1 min' FROM generate_series(1, 2500) AS i
        """);

    Instant before = Instant.now().minus(Duration.ofMinutes(100).plusSeconds(30));
    assertThat(session.queue().purge(session.connection(), before)).isEqualTo(2400);

    assertThat(database.count("SELECT max(id) FROM ingest.job_done")).isEqualTo(100);
  }

  @Test
  void purgeByAgeGoesByTheServersClock(QueueSession session, TestDatabase database)
      throws SQLException {
    database.execute(
        """
        INSERT INTO ingest.job_done (id, queue, outcome, attempts, enqueued_at, finished_at)
        SELECT i, 'q', 'done', 1, now(), clock_timestamp() - i * interval '1 h' FROM generate_series(1, 4) AS i
        """);

    Duration forEver = Duration.ofSeconds(Long.MAX_VALUE);
    assertThat(session.queue().purge(session.connection(), forEver)).isZero();
    assertThat(session.queue().purge(session.connection(), Duration.ofMinutes(150))).isEqualTo(2);

    assertThat(database.count("SELECT max(id) FROM ingest.job_done")).isEqualTo(2);
  }

  @Test
  void attributesThatNobodyExpectsStopNoClaim(QueueSession session, TestDatabase database)
      throws SQLException {
    session.enqueue(NewJob.of("q").attribute("n".repeat(60_000), "v"));
    database.execute(
        "INSERT INTO ingest.job (queue, priority, run_at, max_attempts, attributes) VALUES"
            + " ('q', 1, now(), 1, (repeat('[', 1500) || repeat(']', 1500))::jsonb),"
            + " ('q', 1, now(), 1, ('{\"deep\": ' || repeat('[', 1500) || repeat(']', 1500) || '}')::jsonb)");

    List<Job> jobs = session.claim("q", 10);

    assertThat(jobs).extracting(job -> job.attributes().size()).containsExactly(1, 0, 0);
  }

  @Test
  void aDelayBeyondTheCalendarIsCut(QueueSession session, TestDatabase database)
      throws SQLException {
    session.enqueue(NewJob.of("q"));

    fail(session, session.claim("q", 1).get(0), new Verdict.Again(Duration.ofSeconds(1L << 60)));

    assertThat(database.count("SELECT count(*) FROM ingest.job WHERE run_at > now()")).isEqualTo(1);
  }

  @Test
  void thePlannerIsGivenBackToTheCaller(TestDatabase database) throws SQLException {
    try (QueueSession caller = QueueSession.transaction(database);
        var statement = caller.connection().createStatement()) {
      statement.execute("SET LOCAL enable_hashjoin = off");
      caller.enqueue(NewJob.of("q"));
      caller.queue().complete(caller.connection(), caller.hold("q", 5));
      try (var row =
          statement.executeQuery(
              "SELECT current_setting('enable_seqscan') || current_setting('enable_hashjoin')")) {
        row.next();
        assertThat(row.getString(1)).isEqualTo("onoff");
      }
    }
  }
}
