package dev.ingest.app.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ingest.event.TopicPartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

class TopicLogTest {
  private static final TopicPartition ORDERS_0 = new TopicPartition("orders", 0);

  private final MockConsumer<byte[], byte[]> broker = new MockConsumer<>("none");
  private final List<Long> read = new ArrayList<>();

  @Test
  @Timeout(value = 20, threadMode = ThreadMode.SEPARATE_THREAD)
  void brokerThatGivesNothingMoreEndsTheReading() {
    broker.schedulePollTask(() -> give(0));
    broker.schedulePollTask(() -> give(1));
    try (TopicLog log = new TopicLog(broker, Duration.ofSeconds(1))) {
      assertThatThrownBy(() -> read(log, 5))
          .isInstanceOf(TimeoutException.class)
          .hasMessageContaining("orders-0 from offset 2 on");
    }

    assertThat(read).containsExactly(0L, 1L);
  }

  @Test
  void readingEndsBeforeTheOffsetThatIsNotCommitted() {
    broker.schedulePollTask(
        () -> {
          give(0);
          give(1);
          give(2);
        });
    try (TopicLog log = new TopicLog(broker, Duration.ofSeconds(1))) {
      read(log, 2);
    }

    assertThat(read).containsExactly(0L, 1L);
  }

  private void read(TopicLog log, long to) {
    log.read(ORDERS_0, 0, to, events -> events.forEach(event -> read.add(event.offset())));
  }

  private void give(long offset) {
    broker.addRecord(
        new ConsumerRecord<>("orders", 0, offset, "key".getBytes(UTF_8), "{}".getBytes(UTF_8)));
  }
}
