package dev.ingest.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import dev.ingest.testkit.EventLine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HandoffTest {
  private static final TopicPartition P0 = new TopicPartition("t", 0);
  private static final TopicPartition P1 = new TopicPartition("t", 1);
  private static final Instant NOW = Instant.EPOCH;
  private static final Duration LINGER = Duration.ofMillis(50);

  private final EventLine line = EventLine.on("t", 0);
  private final List<String> told = new ArrayList<>();
  private final Handoff handoff = handoff(new BatchLimits(3, 100_000, LINGER, 6, 200_000));

  @BeforeEach
  void assign() {
    handoff.assign(List.of(P0, P1));
  }

  @Test
  void fullBatchIsReadyAtOnce() {
    put(line.keys("a", "b", "c", "d"));

    assertThat(handoff.untilReady(NOW)).isZero();
    assertThat(handoff.take(NOW)).hasSize(3);
  }

  @Test
  void smallBatchIsReadyAfterTheLinger() {
    put(line.keys("a"));

    assertThat(handoff.untilReady(NOW.plusMillis(20))).isEqualTo(Duration.ofMillis(30));
    assertThat(handoff.take(NOW.plusMillis(49))).isEmpty();
    assertThat(handoff.take(NOW.plusMillis(50))).hasSize(1);
  }

  @Test
  void lingerCountsFromTheOldestEventThatWaits() {
    put(line.keys("a"));
    handoff.put(new Polled(line.keys("b"), Map.of(P0, 2L)), NOW.plusMillis(40));

    assertThat(handoff.untilReady(NOW.plusMillis(50))).isZero();
  }

  @Test
  void batchIsCutByBytes() {
    Handoff small = handoff(new BatchLimits(100, 400, LINGER, 100, 400));
    small.assign(List.of(P0));
    small.put(new Polled(line.keys("a", "b", "c", "d"), Map.of(P0, 4L)), NOW);

    List<Event> batch = small.take(NOW);

    assertThat(batch).hasSizeBetween(1, 3);
    assertThat(batch.stream().mapToLong(Event::sizeBytes).sum()).isLessThanOrEqualTo(400);
  }

  @Test
  void eventAboveTheLimitIsHeldByReference() {
    Handoff small = handoff(new BatchLimits(100, 400, LINGER, 100, 400));
    small.assign(List.of(P0));
    Event large = line.event("a", "x".repeat(500));
    small.put(new Polled(List.of(large, line.event("b", "{}")), Map.of(P0, 2L)), NOW);

    List<Event> batch = small.take(NOW.plus(LINGER));

    assertThat(batch).extracting(Event::isReference).containsExactly(true, false);
    assertThat(batch.get(0).value()).isNull();
    assertThat(batch.get(0).recordBytes()).isEqualTo(large.sizeBytes());
    assertThat(batch.get(0).sizeBytes()).isLessThan(400);
  }

  @Test
  void nothingWaitsForEver() {
    assertThat(handoff.untilReady(NOW)).isEqualTo(Handoff.FOREVER);
    assertThat(handoff.take(NOW)).isEmpty();
  }

  @Test
  void oneBatchIsOutAtATime() {
    put(line.keys("a", "b", "c", "d"));
    handoff.take(NOW);

    assertThatIllegalStateException().isThrownBy(() -> handoff.take(NOW));
    handoff.done();
    assertThatIllegalStateException().isThrownBy(handoff::done);
  }

  @Test
  void offsetFollowsTheBatchThatIsDone() {
    put(line.keys("a", "b", "c", "d"));
    handoff.take(NOW);
    assertThat(handoff.uncommitted()).isEmpty();

    handoff.done();

    assertThat(handoff.uncommitted()).containsExactly(Map.entry(P0, 3L));
    assertThat(handoff.pending()).isOne();
  }

  @Test
  void releasedEventsAreToldAndNeverTaken() {
    put(line.keys("a", "b", "c", "d"));
    put(EventLine.on("t", 1).keys("x", "y"));

    handoff.release(List.of(P0));

    assertThat(told).contains("released t 4");
    assertThat(handoff.take(NOW.plus(LINGER))).extracting(Event::partition).containsOnly(P1);
  }

  @Test
  void batchThatIsOutMovesNoOffsetOfAForgottenPartitionEvenIfItCameBack() {
    put(line.keys("a", "b", "c"));
    handoff.take(NOW);
    handoff.forget(List.of(P0));
    assertThat(handoff.isOut(List.of(P0))).isFalse();
    handoff.assign(List.of(P0));
    put(EventLine.on("t", 0).keys("a"));

    handoff.done();

    assertThat(handoff.uncommitted()).isEmpty();
    assertThat(handoff.pending()).isOne();
  }

  @Test
  void batchThatIsOutMovesTheOffsetsOfThePartitionsThatStay() {
    put(line.keys("a"));
    put(EventLine.on("t", 1).keys("x"));
    handoff.take(NOW.plus(LINGER));
    handoff.forget(List.of(P0));

    handoff.done();

    assertThat(handoff.uncommitted()).containsExactly(Map.entry(P1, 1L));
  }

  @Test
  void outIsWhatIsBeingWrittenOfThesePartitions() {
    put(line.keys("a"));
    handoff.take(NOW.plus(LINGER));

    assertThat(handoff.isOut(List.of(P1))).isFalse();
    assertThat(handoff.isOut(List.of(P1, P0))).isTrue();
  }

  @Test
  void fullnessCountsWhatIsBeingWrittenToo() {
    put(line.keys("a", "b", "c"));
    handoff.take(NOW);
    put(line.keys("d", "e"));
    assertThat(handoff.isFull()).isFalse();

    put(line.keys("f"));

    assertThat(handoff.isFull()).isTrue();
    handoff.done();
    assertThat(handoff.isFull()).isFalse();
    assertThat(handoff.hasRoom()).isTrue();
  }

  @Test
  void bytesFillTheBufferToo() {
    put(List.of(line.event("a", "x".repeat(99_872 - 1)), line.event("b", "x".repeat(99_872 - 1))));
    assertThat(handoff.isFull()).isTrue();
    assertThat(handoff.hasRoom()).isFalse();
    handoff.take(NOW);
    assertThat(handoff.isFull()).isTrue();
    handoff.done();
    assertThat(handoff.isFull()).isFalse();
  }

  @Test
  void pollOfAPartitionThatIsNotOursIsRefused() {
    TopicPartition foreign = new TopicPartition("t", 9);

    assertThatIllegalStateException()
        .isThrownBy(() -> handoff.put(new Polled(List.of(), Map.of(foreign, 1L)), NOW))
        .withMessageContaining("t-9");
  }

  private void put(List<Event> events) {
    Event last = events.get(events.size() - 1);
    handoff.put(new Polled(events, Map.of(last.partition(), last.offset() + 1)), NOW);
  }

  private Handoff handoff(BatchLimits limits) {
    return new Handoff(
        limits,
        new IngestEvents() {
          @Override
          public void released(String topic, int events) {
            told.add("released " + topic + " " + events);
          }
        });
  }
}
