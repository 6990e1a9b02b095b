package dev.ingest.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.ingest.event.TopicPartition;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OffsetTrackerTest {
  private static final TopicPartition P0 = new TopicPartition("t", 0);
  private static final TopicPartition P1 = new TopicPartition("t", 1);

  private final OffsetTracker tracker = new OffsetTracker();

  @BeforeEach
  void assign() {
    tracker.assign(List.of(P0, P1));
  }

  /**
   * Polls of up to three events and gaps, and events done from the front, against a plain queue.
   */
  @Property
  void offsetNeverPassesAPendingEvent(@ForAll List<@IntRange(max = 30) Integer> moves) {
    OffsetTracker tracked = new OffsetTracker();
    tracked.assign(List.of(P0));
    ArrayDeque<Long> pending = new ArrayDeque<>();
    long position = 0;
    long lastDone = -1;
    boolean moved = false;
    for (int move : moves) {
      if (move % 2 == 0) {
        int events = move / 2 % 4;
        int gap = move / 8;
        for (int i = 0; i < events; i++) {
          pending.add(position + i);
        }
        position += events + gap;
        tracked.polled(P0, events, position);
        moved |= pending.isEmpty();
      } else if (!pending.isEmpty()) {
        int events = 1 + move % pending.size();
        for (int i = 0; i < events; i++) {
          lastDone = pending.remove();
        }
        tracked.done(P0, events, lastDone);
        moved = true;
      }

      Long next = tracked.uncommitted().get(P0);
      assertThat(tracked.pending()).isEqualTo(pending.size());
      assertThat(next != null).isEqualTo(moved);
      if (next != null) {
        assertThat(next).isLessThanOrEqualTo(pending.isEmpty() ? position : pending.element());
        assertThat(next).isGreaterThan(lastDone);
      }
    }
  }

  @Test
  void nothingIsCommittedBeforeTheFirstEventIsDone() {
    tracker.polled(P0, 3, 103);

    assertThat(tracker.uncommitted()).isEmpty();
    assertThat(tracker.isPending(P0)).isTrue();
  }

  @Test
  void lastEventThatIsDoneTakesTheGapBehindItAlong() {
    tracker.polled(P0, 2, 110);
    tracker.done(P0, 1, 100);
    assertThat(tracker.uncommitted()).containsExactly(Map.entry(P0, 101L));

    tracker.done(P0, 1, 104);

    assertThat(tracker.uncommitted()).containsExactly(Map.entry(P0, 110L));
  }

  @Test
  void acknowledgedOffsetIsNotCommittedAgain() {
    tracker.polled(P0, 1, 1);
    tracker.done(P0, 1, 0);
    tracker.committed(Map.of(P0, 1L, new TopicPartition("t", 7), 5L));

    assertThat(tracker.uncommitted()).isEmpty();
  }

  @Test
  void partitionThatComesBackStartsAfresh() {
    tracker.polled(P0, 2, 2);
    tracker.drop(List.of(P0));
    tracker.done(P0, 2, 1);
    tracker.assign(List.of(P0));

    assertThat(tracker.pending()).isZero();
    assertThat(tracker.uncommitted()).isEmpty();
  }

  @Test
  void impossibleCallsAreRefused() {
    tracker.drop(List.of(P1));

    assertThatIllegalStateException().isThrownBy(() -> tracker.polled(P1, 1, 1));
    assertThatIllegalStateException().isThrownBy(() -> tracker.done(P0, 1, 0));
  }
}
