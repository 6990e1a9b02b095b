package dev.ingest.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import dev.ingest.event.TopicPartition;
import dev.ingest.plan.FaultKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class IngestLogTest {
  private static final TopicPartition ORDERS_0 = new TopicPartition("orders", 0);
  private static final TopicPartition ORDERS_3 = new TopicPartition("orders", 3);
  private static final TopicPartition PAYMENTS_1 = new TopicPartition("payments", 1);

  private final Logger logger = (Logger) LoggerFactory.getLogger(IngestLog.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private Instant now = Instant.parse("2026-03-01T10:00:00Z");
  private final IngestLog log = new IngestLog(() -> now);
  private final IngestEvents first = log.forConsumer("consumer-0");
  private final IngestEvents second = log.forConsumer("consumer-1");

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
    logger.setAdditive(false);
    logger.setLevel(Level.INFO);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(lines);
    logger.setAdditive(true);
    logger.setLevel(null);
  }

  @Test
  void partitionsComeAndGoInOneLineEach() {
    first.assigned(List.of(PAYMENTS_1, ORDERS_3, ORDERS_0));
    first.assigned(List.of());
    first.revoked(List.of(ORDERS_3), true);
    first.lost(List.of(ORDERS_0));

    assertThat(written())
        .containsExactly(
            "INFO partitions assigned: consumer=consumer-0 orders=[0,3] payments=[1]",
            "INFO partitions revoked: consumer=consumer-0 orders=[3] drained=true",
            "WARN partitions lost: consumer=consumer-0 orders=[0]. Another consumer has them and reads"
                + " on from the last commit.");
  }

  @Test
  void anOutageIsOneLineWhenItBeginsAndOneWhenItEnds() {
    first.paused(connectionLost());
    second.paused(connectionLost());
    first.retrying(connectionLost(), 1, Duration.ofSeconds(1));
    second.retrying(connectionLost(), 1, Duration.ofSeconds(1));
    first.resumed(Duration.ofSeconds(12));
    second.resumed(Duration.ofMillis(12_345));

    assertThat(written())
        .containsExactly(
            "WARN writing paused: consumer=consumer-0 sqlstate=08006 message=\"connection lost\". Tried"
                + " again until it works, nothing is lost.",
            "INFO writing resumed: consumer=consumer-1 after=12.3s");
  }

  @Test
  void theNextOutageIsToldAgain() {
    first.paused(connectionLost());
    first.resumed(Duration.ofSeconds(1));
    first.paused(connectionLost());

    assertThat(written()).hasSize(3);
  }

  @Test
  void anOutageThatNeedsAPersonIsAnErrorWithTheAction() {
    first.paused(connectionLost());
    first.retrying(diskFull(), 2, Duration.ofSeconds(1));
    first.retrying(diskFull(), 3, Duration.ofSeconds(1));

    assertThat(written())
        .hasSize(2)
        .last()
        .asString()
        .startsWith("ERROR writing paused: consumer=consumer-0 sqlstate=53100")
        .contains("Mend the server");
  }

  @Test
  void retriesAreHeldBackAndCounted() {
    for (int i = 0; i < 5; i++) {
      first.retrying(deadlock(), 1, Duration.ofMillis(20));
    }
    now = now.plusSeconds(10);
    second.retrying(deadlock(), 2, Duration.ofMillis(40));

    assertThat(written())
        .containsExactly(
            "WARN transaction tried again: consumer=consumer-0 sqlstate=40P01 attempt=1 delay=20ms"
                + " message=\"deadlock detected\" heldBack=0",
            "WARN transaction tried again: consumer=consumer-1 sqlstate=40P01 attempt=2 delay=40ms"
                + " message=\"deadlock detected\" heldBack=4");
  }

  @Test
  void aMinuteIsSummedUpInOneLineForAllConsumers() {
    first.skipped("orders", 90);
    second.deadLettered("orders", 30);
    lines.list.clear();
    first.lag(Map.of(ORDERS_0, 5L));
    second.lag(Map.of(ORDERS_3, 2L));
    second.retrying(deadlock(), 1, Duration.ofMillis(20));
    lines.list.clear();
    now = now.plusSeconds(60);
    first.lag(Map.of(ORDERS_0, 7L));
    second.lag(Map.of(ORDERS_3, 2L));

    assertThat(written())
        .containsExactly(
            "INFO last minute: inserted=0 duplicates=0 parked=30 skipped=90 deleted=0 eventsPerSecond=2 lag=9"
                + " retries=1");
  }

  @Test
  void ourFailureSaysWhatToDoAndAnothersMessageIsNotWritten() {
    first.failed(new IngestException(Code.STORE_FAILED, "stopped. Mend it and start again."));
    second.failed(new IllegalStateException("payload={\"card\":4111}"));

    assertThat(written().get(0))
        .isEqualTo(
            "ERROR consumer failed: consumer=consumer-0 STORE_FAILED: stopped. Mend it and start again.");
    assertThat(written().get(1))
        .startsWith("ERROR consumer failed: consumer=consumer-1 INTERNAL: java.lang.IllegalState")
        .doesNotContain("4111");
  }

  @Test
  void stackTracesComeAtDebugAlone() {
    first.retrying(deadlock(), 1, Duration.ofMillis(20));
    first.failed(new IllegalStateException());
    assertThat(lines.list).allMatch(line -> line.getThrowableProxy() == null);

    logger.setLevel(Level.DEBUG);
    first.retrying(deadlock(), 1, Duration.ofMillis(20));
    assertThat(lines.list).anyMatch(line -> line.getThrowableProxy() != null);
  }

  @Test
  void batchesAreSilent() {
    first.batchDone(1000, Duration.ofMillis(9));
    first.offsetsCommitted(Map.of(ORDERS_0, 5L), Duration.ofMillis(3));

    assertThat(lines.list).isEmpty();
  }

  private List<String> written() {
    return lines.list.stream()
        .map(line -> line.getLevel() + " " + line.getFormattedMessage())
        .toList();
  }

  private static StoreFault connectionLost() {
    return new StoreFault(FaultKind.CONNECTION, "08006", "connection lost", null);
  }

  private static StoreFault diskFull() {
    return new StoreFault(FaultKind.ENVIRONMENT, "53100", "could not extend file", null);
  }

  private static StoreFault deadlock() {
    return new StoreFault(FaultKind.TRANSIENT, "40P01", "deadlock detected", null);
  }
}
