package dev.ingest.queue;

import static dev.ingest.queue.QueueSession.LEASE;
import static dev.ingest.queue.QueueSession.numbered;
import static dev.ingest.queue.QueueSession.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class JobLeaseIT {
  @RegisterExtension static final QueueExtension QUEUE = new QueueExtension();

  @Test
  void aReleasedJobIsUntried(QueueSession session) throws SQLException {
    session.queue().enqueue(session.connection(), numbered("q", 1, 2));
    session.queue().release(session.connection(), session.claim("q", 1));

    List<Job> jobs = session.claim("q", 10);

    assertThat(texts(jobs)).containsExactly("2", "1");
    assertThat(jobs).extracting(Job::attempt).containsOnly(1);
  }

  @Test
  void aJobReleasedForLaterComesAfterTheDelayAndIsUntried(
      QueueSession session, TestDatabase database) throws SQLException {
    session.queue().enqueue(session.connection(), numbered("q", 1, 2));
    List<Job> claimed = session.claim("q", 1);
    assertThat(session.queue().release(session.connection(), claimed, LEASE)).hasSize(1);

    assertThat(texts(session.claim("q", 10))).containsExactly("2");

    database.execute("UPDATE ingest.job SET run_at = now() WHERE status = 'waiting'");
    assertThat(session.claim("q", 10)).extracting(Job::attempt).containsExactly(1);
  }

  @Test
  void whoLostTheLeaseCanNeitherCompleteNorFailNorExtend(
      QueueSession session, TestDatabase database) throws SQLException {
    session.enqueue(NewJob.of("q").text("slow"));
    List<Job> lost = session.claim("q", 1);
    expireLeases(database);
    assertThat(session.queue().reap(session.connection(), 10))
        .containsExactly(new JobQueue.Reaped("q", false));
    List<Job> owned = session.claim("q", 1);

    JobQueue queue = session.queue();
    Failure failure = new Failure(lost.get(0), "late", new Verdict.GiveUp());
    assertThat(queue.complete(session.connection(), lost)).isEmpty();
    assertThat(queue.fail(session.connection(), List.of(failure))).isEmpty();
    assertThat(queue.extend(session.connection(), lost, LEASE)).isEmpty();
    assertThat(queue.release(session.connection(), lost)).isEmpty();

    assertThat(owned).extracting(Job::attempt).containsExactly(2);
    assertThat(queue.complete(session.connection(), owned)).hasSize(1);
  }

  @Test
  void aClaimThatGotNoReplyIsOursOnlyUnderOurName(QueueSession session) throws SQLException {
    JobQueue queue = session.queue();
    session.enqueue(NewJob.of("q"), NewJob.of("q"));
    List<Job> undone;
    try (QueueSession ours = QueueSession.transaction(QUEUE.database())) {
      undone = ours.claim("q", 1);
      ours.rollback();
    }
    List<Job> others = queue.claim(session.connection(), "q", 1, LEASE, "other");
    assertThat(others).extracting(Job::id).containsExactly(undone.get(0).id());

    assertThat(queue.confirm(session.connection(), undone, LEASE, "test")).isEmpty();

    List<Job> done = session.claim("q", 1);
    assertThat(queue.confirm(session.connection(), done, LEASE, "test"))
        .containsExactly(done.get(0).id());
  }

  @Test
  void theReaperPassesOverAJobWhoseOutcomeIsBeingRecorded(
      QueueSession session, TestDatabase database) throws SQLException {
    session.enqueue(NewJob.of("q"));
    List<Job> slow = session.claim("q", 1);
    expireLeases(database);
    try (QueueSession worker = QueueSession.transaction(database)) {
      assertThat(worker.queue().complete(worker.connection(), slow)).hasSize(1);

      assertThat(session.queue().reap(session.connection(), 10)).isEmpty();
      worker.commit();
    }

    assertThat(session.queue().reap(session.connection(), 10)).isEmpty();
    assertThat(database.count("SELECT count(*) FROM ingest.job_done")).isEqualTo(1);
    assertThat(database.count("SELECT count(*) FROM ingest.job")).isZero();
  }

  @Test
  void whoRecordsWhileTheReaperTakesTheJobBackWaitsAndIsTooLate(
      QueueSession session, TestDatabase database) throws Exception {
    session.enqueue(NewJob.of("q"));
    List<Job> slow = session.claim("q", 1);
    expireLeases(database);
    CompletableFuture<Set<Long>> late;
    try (QueueSession reaper = QueueSession.transaction(database)) {
      assertThat(reaper.queue().reap(reaper.connection(), 10)).hasSize(1);
      late =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return session.queue().complete(session.connection(), slow);
                } catch (SQLException failed) {
                  throw new IllegalStateException(failed);
                }
              });
      String waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'transactionid'";
      await().atMost(Duration.ofSeconds(20)).until(() -> database.count(waiting) == 1);
      reaper.commit();
    }

    assertThat(late.get(20, TimeUnit.SECONDS)).isEmpty();
    assertThat(session.claim("q", 1)).extracting(Job::attempt).containsExactly(2);
  }

  private static void expireLeases(TestDatabase database) {
    database.execute("UPDATE ingest.job SET lease_until = now() - interval '1 s'");
  }

  @Test
  void anExtendedLeaseIsNotReaped(QueueSession session, TestDatabase database) throws SQLException {
    session.queue().enqueue(session.connection(), numbered("q", 1, 2));
    List<Job> claimed = session.claim("q", 2);
    expireLeases(database);
    session.queue().extend(session.connection(), claimed.subList(0, 1), LEASE);

    assertThat(session.queue().reap(session.connection(), 10)).hasSize(1);

    assertThat(texts(session.claim("q", 10))).containsExactly("2");
  }

  @Test
  void aJobWhoseWorkerAlwaysDiesEndsAsFailed(QueueSession session, TestDatabase database)
      throws SQLException {
    session.enqueue(NewJob.of("q").maxAttempts(1));
    session.claim("q", 1);
    expireLeases(database);

    assertThat(session.queue().reap(session.connection(), 10))
        .containsExactly(new JobQueue.Reaped("q", true));

    assertThat(session.queue().depth(session.connection()))
        .singleElement()
        .matches(depth -> depth.status().equals("failed") && depth.jobs() == 1);
  }
}
