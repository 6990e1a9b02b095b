package dev.ingest.app.http;

import static dev.ingest.app.http.Consumers.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RateHistoryTest {
  private final RateHistory history = new RateHistory(3);

  @Test
  void showsNothingBeforeTheSecondSample() {
    sample(0, 0);

    assertThat(history.rate()).isZero();
    assertThat(history.json()).isEqualTo("[[],[],[],[],[]]");
  }

  @Test
  void aRateIsWhatWasDoneBetweenSamplesHoweverFarApart() {
    sample(0, 0);
    sample(2000, 500);
    sample(2500, 1500);

    long start = NOW.toEpochMilli();
    assertThat(history.json())
        .isEqualTo("[[%d,%d],[250,2000],[0,0],[0,0],[7,7]]".formatted(start + 2000, start + 2500));
    assertThat(history.rate()).isEqualTo(600);
  }

  @Test
  void theOldestSamplesGo() {
    for (int second = 0; second < 10; second++) {
      sample(second * 1000L, second * 100L);
    }

    assertThat(history.json()).contains("[100,100]");
  }

  private void sample(long millis, long inserted) {
    history.add(NOW.plusMillis(millis), new TopicCounts(inserted, 0, inserted, 0, 0, 0, 0), 7);
  }
}
