package dev.ingest.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.plan.Backoff;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {
  private static final RetryPolicy POLICY =
      new RetryPolicy(new Backoff(Duration.ofSeconds(2), Duration.ofMinutes(1)));

  @Test
  void theDelayGrowsAndHalfOfItIsRandom() {
    long seed = ThreadLocalRandom.current().nextLong();
    System.out.println("seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int attempt = 1; attempt < 5; attempt++) {
      Duration longest = Duration.ofSeconds(1L << attempt);
      for (int i = 0; i < 100; i++) {
        assertThat(POLICY.after(attempt, 99, random))
            .isInstanceOfSatisfying(
                Verdict.Again.class,
                again -> assertThat(again.delay()).isBetween(longest.dividedBy(2), longest));
      }
    }
  }

  @Test
  void theDelayIsCapped() {
    assertThat(POLICY.after(1_000_000, Integer.MAX_VALUE, new SplittableRandom(1)))
        .isInstanceOfSatisfying(
            Verdict.Again.class,
            again ->
                assertThat(again.delay()).isBetween(Duration.ofSeconds(30), Duration.ofMinutes(1)));
  }

  @Test
  void theLastAttemptGivesUp() {
    assertThat(POLICY.after(10, 10, new SplittableRandom(1))).isEqualTo(new Verdict.GiveUp());
    assertThat(POLICY.after(9, 10, new SplittableRandom(1))).isInstanceOf(Verdict.Again.class);
  }
}
