package dev.ingest.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobFailedExceptionTest {
  private static Failure failure(Throwable thrown, int claims) {
    Job job =
        new Job(
            1,
            "q",
            Priority.NORMAL,
            null,
            new byte[0],
            Map.of(),
            claims,
            3,
            Instant.EPOCH,
            Instant.EPOCH,
            Job.Hold.LEASE);
    return Failure.of(job, thrown, RetryPolicy.DEFAULT);
  }

  @Test
  void forGoodLeavesNoFurtherTry() {
    Failure failure = failure(JobFailedException.forGood("status=400"), 1);

    assertThat(failure.verdict()).isEqualTo(new Verdict.GiveUp());
    assertThat(failure.error()).isEqualTo("status=400");
  }

  @Test
  void aDelayThatIsLongerThanThePolicysIsKept() {
    Duration day = Duration.ofDays(1);

    assertThat(failure(JobFailedException.retryAfter("status=429", day), 1).verdict())
        .isEqualTo(new Verdict.Again(day));
    assertThat(failure(JobFailedException.retryAfter("status=429", Duration.ZERO), 1).verdict())
        .isInstanceOfSatisfying(
            Verdict.Again.class,
            again ->
                assertThat(again.delay()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2)));
  }

  @Test
  void aDelayAddsNoAttempt() {
    assertThat(
            failure(JobFailedException.retryAfter("status=429", Duration.ofDays(1)), 3).verdict())
        .isEqualTo(new Verdict.GiveUp());
  }
}
