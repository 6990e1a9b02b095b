package dev.ingest.queue;

import static dev.ingest.queue.QueueSession.LEASE;
import static dev.ingest.queue.QueueSession.numbered;
import static dev.ingest.queue.QueueSession.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class JobLeaseIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private QueueSession session;

  @BeforeAll
  static void createSchema(TestDatabase database) {
    Schema.create(database);
  }

  @BeforeEach
  void open(TestDatabase database) {
    database.execute("TRUNCATE ingest.job, ingest.job_done");
    session = QueueSession.open(database);
  }

  @AfterEach
  void close() throws SQLException {
    session.close();
  }

  @Test
  void aReleasedJobIsUntried() throws SQLException {
    session.queue().enqueue(session.connection(), numbered("q", 1, 2));
    session.queue().release(session.connection(), session.claim("q", 1));

    List<Job> jobs = session.claim("q", 10);

    assertThat(texts(jobs)).containsExactly("2", "1");
    assertThat(jobs).extracting(Job::attempt).containsOnly(1);
  }

  @Test
  void whoLostTheLeaseCanNeitherCompleteNorFailNorExtend(TestDatabase database)
      throws SQLException {
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

  private static void expireLeases(TestDatabase database) {
    database.execute("UPDATE ingest.job SET lease_until = now() - interval '1 s'");
  }

  @Test
  void anExtendedLeaseIsNotReaped(TestDatabase database) throws SQLException {
    session.queue().enqueue(session.connection(), numbered("q", 1, 2));
    List<Job> claimed = session.claim("q", 2);
    expireLeases(database);
    session.queue().extend(session.connection(), claimed.subList(0, 1), LEASE);

    assertThat(session.queue().reap(session.connection(), 10)).hasSize(1);

    assertThat(texts(session.claim("q", 10))).containsExactly("2");
  }

  @Test
  void aJobWhoseWorkerAlwaysDiesEndsAsFailed(TestDatabase database) throws SQLException {
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
