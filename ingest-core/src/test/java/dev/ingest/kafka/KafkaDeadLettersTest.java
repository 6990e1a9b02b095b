package dev.ingest.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ingest.event.Event;
import dev.ingest.event.IngestException;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.RejectedEvent;
import dev.ingest.testkit.EventLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KafkaDeadLettersTest {
  private final List<FailingProducer> opened = new ArrayList<>();
  private @Nullable RuntimeException fault;
  private final KafkaDeadLetters letters = new KafkaDeadLetters(this::open, "dead", "group");

  @Test
  void opensNoConnectionBeforeTheFirstLetter() {
    letters.keep("sales", List.of());

    assertThat(opened).isEmpty();
  }

  @Test
  void sendsEveryEvent() {
    letters.keep("sales", rejected("a", "b"));

    assertThat(opened.get(0).history())
        .extracting(letter -> new String(letter.key(), UTF_8))
        .containsExactly("a", "b");
  }

  @Test
  void anEventTooLargeForTheTopicIsRepresentedByOneThatRefersToIt() {
    fault = new RecordTooLargeException("1048588 bytes");

    letters.keep("sales", rejected("large"));

    assertThat(opened.get(0).history())
        .singleElement()
        .satisfies(
            letter ->
                assertThat(letter.headers().lastHeader("ingest.errors.reference")).isNotNull());
  }

  @Test
  void anEventThatIsNotHeldIsNeverSentAsATombstone() {
    Event reference = EventLine.on("t", 0).event("large", "x".repeat(5000)).reference();

    letters.keep("sales", List.of(RejectedEvent.tooLarge(reference)));

    assertThat(opened.get(0).history())
        .singleElement()
        .satisfies(
            letter ->
                assertThat(new String(letter.value(), UTF_8))
                    .contains("\"bytes\":" + reference.recordBytes()));
  }

  @Test
  void aBrokerThatIsAwayIsWaitedForWithTheSameProducer() {
    fault = new TimeoutException("not acknowledged");

    assertThat(faultOf(rejected("a"))).isEqualTo(FaultKind.CONNECTION);
    fault = null;
    letters.keep("sales", rejected("a"));

    assertThat(opened).hasSize(1);
  }

  @Test
  void aTopicThatRefusesUsIsTheEnvironmentsFaultAndMeetsANewProducer() {
    fault = new TopicAuthorizationException("dead");

    assertThat(faultOf(rejected("a"))).isEqualTo(FaultKind.ENVIRONMENT);
    fault = null;
    letters.keep("sales", rejected("a"));

    assertThat(opened).hasSize(2);
    assertThat(opened.get(0).closed()).isTrue();
  }

  @Test
  void settingsThatTheClientRefusesAreToldAtOnce() {
    assertThatThrownBy(
            () ->
                new KafkaDeadLetters(
                    Map.of("bootstrap.servers", "127.0.0.1:1", "retries", "few"), "dead", "group"))
        .isInstanceOf(IngestException.class)
        .hasMessageContaining("retries");
  }

  @Test
  void nothingTheUserSetsWeakensTheAcknowledgement() {
    Map<String, Object> config =
        ProducerConfigs.of(
            Map.of("acks", "0", "enable.idempotence", "false", "transactional.id", "mine"));

    assertThat(config)
        .containsEntry("acks", "all")
        .containsEntry("enable.idempotence", true)
        .doesNotContainKey("transactional.id");
  }

  private FaultKind faultOf(List<RejectedEvent> events) {
    return catchThrowableOfType(StoreFault.class, () -> letters.keep("sales", events)).kind();
  }

  private static List<RejectedEvent> rejected(String... keys) {
    EventLine line = EventLine.on("orders", 0);
    List<RejectedEvent> rejected = new ArrayList<>();
    for (Event event : line.keys(keys)) {
      rejected.add(RejectedEvent.unreadable(event, "no key"));
    }
    return rejected;
  }

  private FailingProducer open() {
    FailingProducer producer = new FailingProducer();
    opened.add(producer);
    return producer;
  }

  /** Fails with {@link #fault}, if there is one, whatever does not refer to an event. */
  private final class FailingProducer extends MockProducer<byte[], byte[]> {
    FailingProducer() {
      super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> letter) {
      boolean refers = letter.headers().lastHeader("ingest.errors.reference") != null;
      return refers || fault == null ? super.send(letter) : CompletableFuture.failedFuture(fault);
    }
  }
}
