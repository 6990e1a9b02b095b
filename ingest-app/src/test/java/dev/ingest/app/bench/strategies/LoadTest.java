package dev.ingest.app.bench.strategies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.event.Event;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadTest {
  private static final int EVENTS = 20_000;

  @Test
  void loadsHaveTheDuplicatesTheyName() {
    assertThat(distinct(Load.UNIQUE)).isEqualTo(EVENTS);
    assertThat(distinct(Load.REPEATS)).isBetween(EVENTS * 79L / 100, EVENTS * 81L / 100);
    assertThat(distinct(Load.HOT)).isBetween(EVENTS / 5L, EVENTS / 3L);
  }

  @Test
  void neighbouringHotBatchesShareKeysAndDistantOnesDoNot() {
    List<List<Event>> batches = Load.HOT.batches(EVENTS, 1000, 1);

    long neighbours = distinct(List.of(batches.get(0), batches.get(1)));
    assertThat(neighbours)
        .isLessThan(distinct(batches.subList(0, 1)) + distinct(batches.subList(1, 2)));
    assertThat(distinct(List.of(batches.get(0), batches.get(100))))
        .isEqualTo(distinct(batches.subList(0, 1)) + distinct(batches.subList(100, 101)));
  }

  @Test
  void sameSeedGivesTheSameEvents() {
    assertThat(Load.REPEATS.batches(2000, 1000, 7).get(1).get(3).value())
        .isEqualTo(Load.REPEATS.batches(2000, 1000, 7).get(1).get(3).value());
  }

  private static long distinct(Load load) {
    return distinct(load.batches(EVENTS, 1000, 1));
  }

  private static long distinct(List<List<Event>> batches) {
    return Load.Events.distinctKeys(batches);
  }
}
