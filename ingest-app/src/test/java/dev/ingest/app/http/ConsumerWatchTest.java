package dev.ingest.app.http;

import static dev.ingest.app.http.Consumers.diskFull;
import static dev.ingest.app.http.Consumers.running;
import static dev.ingest.app.http.Consumers.watch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ingest.event.IngestException;
import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.plan.FaultKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConsumerWatchTest {
  private static final TopicPartition ORDERS_0 = new TopicPartition("orders", 0);
  private static final TopicPartition ORDERS_1 = new TopicPartition("orders", 1);

  private final ConsumerWatch watch = watch("consumer-0");

  @Test
  void showsThePartitionsItHasAndNoOthers() {
    watch.assigned(List.of(ORDERS_0, ORDERS_1));
    watch.lag(Map.of(ORDERS_1, 5L, new TopicPartition("orders", 9), 1L));
    assertThat(running(watch).partitions())
        .isEqualTo(Map.of(ORDERS_0, Optional.empty(), ORDERS_1, Optional.of(5L)));

    watch.revoked(List.of(ORDERS_1), true);
    assertThat(running(watch).partitions()).containsOnlyKeys(ORDERS_0);
  }

  @Test
  void countsEventsByTopic() {
    watch.polled("orders", 5);
    watch.polled("orders", 3);
    watch.released("orders", 2);
    watch.skipped("orders", 1);
    watch.deadLettered("payments", 4);

    assertThat(running(watch).topics())
        .isEqualTo(
            Map.of(
                "orders", new TopicCounts(8, 2, 0, 0, 0, 1, 0),
                "payments", new TopicCounts(0, 0, 0, 0, 4, 0, 0)));
  }

  @Test
  void notesAPauseOnceHoweverOftenItIsTriedAgain() {
    watch.paused(diskFull());
    watch.retrying(diskFull(), 2, Duration.ofSeconds(1));
    watch.retrying(diskFull(), 3, Duration.ofSeconds(2));

    assertThat(running(watch).faults())
        .extracting(FaultNote::kind, FaultNote::sqlState)
        .containsExactly(tuple("environment", "53100"));
  }

  @Test
  void showsTheFaultForWhichItIsPausedNow() {
    watch.paused(new StoreFault(FaultKind.CONNECTION, "08006", "connection lost", null));
    watch.retrying(diskFull(), 2, Duration.ofSeconds(1));

    assertThat(running(watch).pause().orElseThrow().sqlState()).isEqualTo("53100");
    assertThat(running(watch).faults()).hasSize(2);
  }

  @Test
  void keepsTheLatestFaults() {
    for (int i = 0; i < 100; i++) {
      watch.retrying(diskFull(), 1, Duration.ZERO);
    }
    watch.failed(new IngestException(IngestException.Code.STORE_FAILED, "stopped."));

    assertThat(running(watch).faults()).hasSize(8);
    assertThat(running(watch).faults().get(0).message()).isEqualTo("STORE_FAILED: stopped.");
  }

  @Test
  void saysNothingOfAnothersMessageWhichMayHoldAValue() {
    watch.failed(new IllegalStateException("key=secret"));

    assertThat(running(watch).faults().get(0).message())
        .isEqualTo("java.lang.IllegalStateException");
  }
}
