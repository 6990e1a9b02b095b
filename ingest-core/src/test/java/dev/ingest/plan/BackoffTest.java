package dev.ingest.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(20), Duration.ofSeconds(1));

  @Test
  void longestDelayDoublesUpToTheCap() {
    assertThat(IntStream.rangeClosed(1, 8).mapToObj(BACKOFF::longest))
        .extracting(Duration::toMillis)
        .containsExactly(20L, 40L, 80L, 160L, 320L, 640L, 1000L, 1000L);
  }

  @Test
  void sameSeedGivesSameDelays() {
    Random one = new Random(7);
    Random other = new Random(7);

    for (int attempt = 1; attempt <= 10; attempt++) {
      assertThat(BACKOFF.delay(attempt, one)).isEqualTo(BACKOFF.delay(attempt, other));
    }
  }

  @Test
  void delaysSpreadOverTheWholeRange() {
    Random random = new Random(7);

    List<Double> shares =
        Stream.generate(() -> BACKOFF.delay(7, random))
            .limit(10_000)
            .map(delay -> (double) delay.toNanos() / BACKOFF.cap().toNanos())
            .toList();

    assertThat(shares).anyMatch(share -> share < 0.01).anyMatch(share -> share > 0.99);
  }

  @Property
  void delayIsAboveZeroAndWithinItsBounds(
      @ForAll @LongRange(min = 1) long baseNanos,
      @ForAll @LongRange(min = 1) long capNanos,
      @ForAll @IntRange(min = 1) int attempt,
      @ForAll long seed) {
    long smaller = Math.min(baseNanos, capNanos);
    long larger = Math.max(baseNanos, capNanos);
    Backoff backoff = new Backoff(Duration.ofNanos(smaller), Duration.ofNanos(larger));

    assertThat(backoff.delay(attempt, new Random(seed)))
        .isPositive()
        .isLessThanOrEqualTo(backoff.longest(attempt));
    assertThat(backoff.longest(attempt)).isBetween(backoff.base(), backoff.cap());
  }

  @Property
  void longestDelayNeverShrinks(
      @ForAll @LongRange(min = 1) long nanos,
      @ForAll @IntRange(min = 1, max = Integer.MAX_VALUE - 1) int attempt) {
    Backoff backoff = new Backoff(Duration.ofNanos(nanos), Duration.ofNanos(Long.MAX_VALUE));

    assertThat(backoff.longest(attempt + 1)).isGreaterThanOrEqualTo(backoff.longest(attempt));
  }

  @Test
  void impossibleValuesAreRefused() {
    Duration second = Duration.ofSeconds(1);

    assertThatIllegalArgumentException().isThrownBy(() -> new Backoff(Duration.ZERO, second));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Backoff(second.negated(), second))
        .withMessageContaining("base=PT-1S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Backoff(second, second.minusNanos(1)))
        .withMessageContaining("cap=PT0.999999999S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Backoff(second, Duration.ofSeconds(Long.MAX_VALUE)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BACKOFF.delay(0, new Random(7)))
        .withMessageContaining("attempt=0");
  }
}
