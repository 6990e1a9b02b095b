package dev.ingest.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.event.TopicPartition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgressWatchTest {
  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  private static final TopicPartition P0 = new TopicPartition("t", 0);
  private static final TopicPartition P1 = new TopicPartition("t", 1);

  private final ProgressWatch watch = new ProgressWatch();

  @Test
  void partitionThatIsBehindAndDoesNotMoveStandsSinceItIsBehind() {
    tell(0, Map.of(P0, 7L, P1, 7L), Map.of(P0, 5L, P1, 5L));
    tell(100, Map.of(P0, 7L, P1, 9L), Map.of(P0, 5L, P1, 5L));

    assertThat(watch.standing(at(100)))
        .containsExactly(Map.entry(P0, at(0)), Map.entry(P1, at(100)));
  }

  @Test
  void partitionWithoutLagNeverStands() {
    tell(0, Map.of(P0, 7L), Map.of(P0, 5L));
    tell(1, Map.of(P0, 7L), Map.of(P0, 0L));

    assertThat(watch.standing(at(1))).isEmpty();
  }

  @Test
  void partitionWhoseLagIsNotKnownDoesNotStand() {
    tell(0, Map.of(), Map.of(P0, 5L));
    tell(1, Map.of(), Map.of());
    assertThat(watch.standing(at(1))).isEmpty();

    tell(2, Map.of(), Map.of(P0, 5L));
    assertThat(watch.standing(at(2))).containsEntry(P0, at(2));
    assertThat(watch.standing(at(60))).isEmpty();
  }

  @Test
  void faultThatIsKnownExplainsTheTimeUpToIt() {
    tell(0, Map.of(), Map.of(P0, 5L));
    watch.explained(at(50));
    tell(60, Map.of(), Map.of(P0, 5L));

    assertThat(watch.standing(at(60))).containsExactly(Map.entry(P0, at(50)));
  }

  @Test
  void longBatchThatGoesOnExplainsIt() {
    tell(0, Map.of(), Map.of(P0, 5L));
    watch.applied(at(90));
    tell(100, Map.of(), Map.of(P0, 5L));

    assertThat(watch.standing(at(100))).containsExactly(Map.entry(P0, at(90)));
  }

  @Test
  void batchesOfOtherPartitionsExplainNothing() {
    tell(0, Map.of(), Map.of(P0, 5L));
    watch.applied(at(90));
    watch.batchDone(at(90));
    watch.applied(at(95));
    tell(100, Map.of(), Map.of(P0, 5L));

    assertThat(watch.standing(at(100))).containsExactly(Map.entry(P0, at(0)));
  }

  @Test
  void partitionThatLeftIsForgotten() {
    tell(0, Map.of(P0, 1L), Map.of(P0, 5L));
    watch.forget(List.of(P0));

    assertThat(watch.standing(at(0))).isEmpty();
  }

  private void tell(int second, Map<TopicPartition, Long> next, Map<TopicPartition, Long> lag) {
    watch.progress(next, at(second));
    watch.lag(lag, at(second));
  }

  private static Instant at(int second) {
    return START.plusSeconds(second);
  }
}
