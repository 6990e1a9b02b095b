package dev.ingest.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class JobKeyIT {
  @RegisterExtension static final QueueExtension QUEUE = new QueueExtension();

  private static final NewJob KEYED = NewJob.of("q").key("k");

  @Test
  void aKeyIsTakenWhileItsJobIsWaitingOrRunning(TestDatabase database) throws SQLException {
    try (QueueSession session = QueueSession.open(database)) {
      JobQueue queue = session.queue();
      assertThat(queue.enqueue(session.connection(), KEYED)).isPresent();
      assertThat(queue.enqueue(session.connection(), KEYED)).isEmpty();
      assertThat(queue.enqueue(session.connection(), NewJob.of("other").key("k"))).isPresent();

      List<Job> running = session.claim("q", 1);
      assertThat(queue.enqueue(session.connection(), KEYED)).isEmpty();

      queue.complete(session.connection(), running);
      assertThat(queue.enqueue(session.connection(), KEYED)).isPresent();
    }
  }

  @Test
  void byItsKeyAJobThatWaitsForLaterIsMadeDue(TestDatabase database) throws SQLException {
    Instant later = Instant.now().plusSeconds(3600);
    try (QueueSession session = QueueSession.open(database)) {
      session.enqueue(KEYED.at(later), NewJob.of("q").key("other").at(later));
      assertThat(session.claim("q", 10)).isEmpty();

      assertThat(session.queue().hasten(session.connection(), "q", List.of("k", "no"))).isOne();

      assertThat(session.claim("q", 10)).extracting(Job::key).containsExactly(Optional.of("k"));
    }
  }

  @Test
  void aFailedJobGivesItsKeyUpAndIsNotRetriedBesideItsSuccessor(TestDatabase database)
      throws SQLException {
    try (QueueSession session = QueueSession.open(database)) {
      for (int i = 0; i < 2; i++) {
        session.enqueue(KEYED);
        giveUp(session);
      }
      session.enqueue(KEYED);
      assertThat(session.queue().retry(session.connection(), "q", 10, 1)).isZero();

      giveUp(session);
      assertThat(session.queue().retry(session.connection(), "q", 10, 1)).isEqualTo(1);
      assertThat(session.claim("q", 10)).hasSize(1);
    }
  }

  private static void giveUp(QueueSession session) throws SQLException {
    Job job = session.claim("q", 1).get(0);
    Failure failure = new Failure(job, "", new Verdict.GiveUp());
    session.queue().fail(session.connection(), List.of(failure));
  }

  @Test
  void theSameKeyTwiceInABatchIsOneJob(TestDatabase database) throws SQLException {
    try (QueueSession session = QueueSession.open(database)) {
      List<NewJob> batch = List.of(KEYED, NewJob.of("q"), KEYED, NewJob.of("q"));

      assertThat(session.queue().enqueue(session.connection(), batch)).isEqualTo(3);
    }
  }

  @Test
  void enqueuersWithTheSameKeysInOppositeOrderDoNotDeadlock(TestDatabase database)
      throws Exception {
    long seed = ThreadLocalRandom.current().nextLong();
    System.out.println("seed=" + seed);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Random random = new Random(seed + i);
        all.add(threads.submit(() -> enqueueShuffled(database, random)));
      }
      for (Future<?> each : all) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(database.count("SELECT count(*) FROM ingest.job")).isEqualTo(25 * 200);
    assertThat(database.deadlocks()).isZero();
  }

  /** New keys in every round, which all sessions take at about the same moment. */
  private static Void enqueueShuffled(TestDatabase database, Random random) throws SQLException {
    try (QueueSession session = QueueSession.open(database)) {
      for (int round = 0; round < 25; round++) {
        String prefix = round + "/";
        List<NewJob> jobs =
            new ArrayList<>(
                IntStream.range(0, 200).mapToObj(i -> NewJob.of("q").key(prefix + i)).toList());
        Collections.shuffle(jobs, random);
        session.queue().enqueue(session.connection(), jobs);
      }
    }
    return null;
  }
}
