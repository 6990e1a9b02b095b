package dev.ingest.app.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PercentilesTest {
  @Test
  void shareIsReachedByTheLowestValueThatCoversIt() {
    Percentiles percentiles = new Percentiles();
    for (int value = 100; value >= 1; value--) {
      percentiles.add(value, 1);
    }

    assertThat(percentiles.at(0.5)).isEqualTo(50);
    assertThat(percentiles.at(0.99)).isEqualTo(99);
    assertThat(percentiles.at(0.999)).isEqualTo(100);
    assertThat(percentiles.at(1)).isEqualTo(100);
  }

  @Test
  void weightCountsAsSoManyValues() {
    Percentiles percentiles = new Percentiles();
    percentiles.add(1, 980);
    percentiles.add(7, 20);

    assertThat(percentiles.at(0.98)).isEqualTo(1);
    assertThat(percentiles.at(0.99)).isEqualTo(7);
  }

  @Test
  void nothingHasNoPercentile() {
    assertThat(new Percentiles().at(0.5)).isNaN();
  }

  @Test
  void evenRoundsRunBackwards() {
    assertThat(Rounds.inTurn(List.of("a", "b", "c"), 1)).containsExactly("a", "b", "c");
    assertThat(Rounds.inTurn(List.of("a", "b", "c"), 2)).containsExactly("c", "b", "a");
  }
}
