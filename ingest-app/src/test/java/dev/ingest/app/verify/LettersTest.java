package dev.ingest.app.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.event.TopicPartition;
import dev.ingest.kafka.DeadLetterPlace;
import org.junit.jupiter.api.Test;

class LettersTest {
  private static final TopicPartition ORDERS_0 = new TopicPartition("orders", 0);
  private static final TopicPartition ORDERS_1 = new TopicPartition("orders", 1);

  @Test
  void holdsWhatWasAddedAndNothingElse() {
    Letters letters = new Letters();
    long[] offsets = {0, 65_535, 65_536, 1L << 40};
    for (long offset : offsets) {
      letters.add(new DeadLetterPlace("sales", ORDERS_0, offset));
    }

    for (long offset : offsets) {
      assertThat(letters.holds("sales", ORDERS_0, offset)).as("%d", offset).isTrue();
      assertThat(letters.holds("sales", ORDERS_0, offset + 2)).as("%d", offset + 2).isFalse();
      assertThat(letters.holds("sales", ORDERS_1, offset)).isFalse();
    }
  }

  @Test
  void letterCountsForItsRouteAndWithoutOneForEach() {
    Letters letters = new Letters();
    letters.add(new DeadLetterPlace("sales", ORDERS_0, 1));
    letters.add(new DeadLetterPlace(null, ORDERS_0, 2));

    assertThat(letters.holds("sales", ORDERS_0, 1)).isTrue();
    assertThat(letters.holds("audit", ORDERS_0, 1)).isFalse();
    assertThat(letters.holds(null, ORDERS_0, 1)).isTrue();
    assertThat(letters.holds("audit", ORDERS_0, 2)).isTrue();
  }
}
