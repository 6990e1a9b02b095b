package dev.ingest.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class BadShareTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final BadShare share = new BadShare(new ShareLimit(0.5, Duration.ofMinutes(1), 100));

  @Test
  void shareOfTheEventsAtHandCounts() {
    assertThat(share.allows(100, 200, NOW)).isTrue();
    assertThat(share.allows(101, 200, NOW)).isFalse();
  }

  @Test
  void fewEventsHaveNoShare() {
    assertThat(share.allows(99, 99, NOW)).isTrue();
  }

  @Test
  void whatWasDoneBeforeCounts() {
    share.done(1000, 0, NOW);
    assertThat(share.allows(900, 900, NOW)).isTrue();

    share.done(0, 900, NOW);

    assertThat(share.allows(200, 200, NOW)).isFalse();
  }

  @Test
  void whatWasDoneBeforeTheWindowDoesNotCount() {
    share.done(1000, 0, NOW);

    assertThat(share.allows(200, 200, NOW.plusSeconds(61))).isFalse();
  }

  @Test
  void onceExceededTheEventsAtHandDecideHoweverFewAndHoweverLate() {
    assertThat(share.allows(200, 200, NOW)).isFalse();
    assertThat(share.allows(2, 2, NOW.plusSeconds(3600))).isFalse();
    assertThat(share.allows(1, 2, NOW.plusSeconds(3601))).isTrue();
    assertThat(share.allows(2, 2, NOW.plusSeconds(3602))).isTrue();
  }

  @Test
  void eventsAtHandThatAreDoneInTheEndEndIt() {
    assertThat(share.allows(200, 200, NOW)).isFalse();
    share.done(200, 0, NOW.plusSeconds(1));

    assertThat(share.allows(1, 1, NOW.plusSeconds(2))).isTrue();
  }

  @Test
  void whollyBadIsNoReasonWithoutALimit() {
    assertThat(new BadShare(ShareLimit.NONE).allows(1000, 1000, NOW)).isTrue();
  }
}
