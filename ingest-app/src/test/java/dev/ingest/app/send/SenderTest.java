package dev.ingest.app.send;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SenderTest {
  private static final List<String> HUNDRED =
      IntStream.range(0, 100).mapToObj(i -> "{\"id\":" + i + "}").toList();

  private final MockProducer<byte[], byte[]> producer = producer(true);

  @Test
  void eachLineIsOneRecordWithTheKeyFromThePointer() {
    Sender.Result sent = send(plan("/id", 1, 0), List.of("{\"id\":7}", "", " ", "{\"id\":\"ü\"}"));

    assertThat(sent).isEqualTo(new Sender.Result(2, 0));
    assertThat(keys()).containsExactly("7", "ü");
    assertThat(producer.history()).allMatch(record -> record.partition() == null);
    assertThat(new String(producer.history().get(1).value(), UTF_8)).isEqualTo("{\"id\":\"ü\"}");
  }

  @Test
  void withoutPointerRecordsHaveNoKey() {
    send(plan(null, 1, 0), List.of("plain text"));

    assertThat(producer.history()).singleElement().matches(record -> record.key() == null);
  }

  @Test
  void repeatSendsTheWholeInputAgain() {
    assertThat(send(plan("/id", 3, 0), HUNDRED)).isEqualTo(new Sender.Result(300, 0));

    assertThat(keys().subList(200, 300)).isEqualTo(keys().subList(0, 100));
  }

  @Test
  void shareOfDuplicatesIsExactAndEachRepeatsAnEarlierRecord() {
    assertThat(send(plan("/id", 1, 20), HUNDRED)).isEqualTo(new Sender.Result(125, 25));

    assertThat(Set.copyOf(keys())).hasSize(100);
    assertThat(producer.history())
        .allSatisfy(record -> assertThat(new String(record.value(), UTF_8)).contains(key(record)));
  }

  @Test
  void scatteredRecordsReachAllPartitionsTheSameWayForTheSameSeed() {
    List<@Nullable Integer> first = scatter(1);

    assertThat(Set.copyOf(first)).containsExactlyInAnyOrder(0, 1, 2);
    assertThat(scatter(1)).isEqualTo(first);
    assertThat(scatter(2)).isNotEqualTo(first);
  }

  @Test
  void lineWithoutKeyIsNamedByItsNumberAndNotShown() {
    assertThatThrownBy(() -> send(plan("/id", 1, 0), List.of("{\"id\":1}", "", "{\"secret\":1}")))
        .isInstanceOf(IngestException.class)
        .hasMessageStartingWith(
            "BAD_EVENT: line 3 has no key: the payload has no field /id. 1 records before it are"
                + " sent;")
        .hasMessageNotContaining("secret");
  }

  @Test
  void inputThatIsNoTextIsWrongUsage() {
    Stream<String> broken =
        Stream.of(1)
            .map(
                line -> {
                  throw new UncheckedIOException(new MalformedInputException(1));
                });

    assertThatThrownBy(() -> new Sender(producer, plan("/id", 1, 0)).send(() -> broken, n -> {}))
        .isInstanceOfSatisfying(
            IngestException.class, e -> assertThat(e.code()).isEqualTo(Code.CONFIG_INVALID))
        .hasMessageContaining("can't be read as UTF-8 text");
  }

  @Test
  void refusedRecordEndsInAFailureAlthoughLaterOnesWereTaken() {
    MockProducer<byte[], byte[]> byHand = producer(false);
    Sender sender = new Sender(byHand, plan("/id", 1, 0));

    assertThatThrownBy(
            () ->
                sender.send(
                    HUNDRED::stream,
                    count -> {
                      if (count == 3) {
                        byHand.completeNext();
                        byHand.errorNext(new RecordTooLargeException("too large."));
                      }
                    }))
        .isInstanceOf(IngestException.class)
        .hasMessage(
            "KAFKA_UNAVAILABLE: a record was refused: too large. Send the input again; repeats do"
                + " no harm.");
  }

  @Test
  void progressIsTheNumberOfRecordsSent() {
    long[] last = new long[1];

    new Sender(producer, plan("/id", 1, 50)).send(HUNDRED::stream, count -> last[0] = count);

    assertThat(last[0]).isEqualTo(200);
  }

  private List<@Nullable Integer> scatter(long seed) {
    producer.clear();
    new Sender(producer, new SendPlan("orders", "/id", 1, 0, true, seed))
        .send(HUNDRED::stream, count -> {});
    return producer.history().stream().map(ProducerRecord::partition).toList();
  }

  private Sender.Result send(SendPlan plan, List<String> lines) {
    return new Sender(producer, plan).send(lines::stream, count -> {});
  }

  private List<String> keys() {
    return producer.history().stream().map(SenderTest::key).toList();
  }

  private static String key(ProducerRecord<byte[], byte[]> record) {
    return new String(record.key(), UTF_8);
  }

  private static SendPlan plan(@Nullable String pointer, int repeat, int duplicates) {
    return new SendPlan("orders", pointer, repeat, duplicates, false, 1);
  }

  private static MockProducer<byte[], byte[]> producer(boolean acknowledging) {
    List<PartitionInfo> partitions =
        IntStream.range(0, 3)
            .mapToObj(i -> new PartitionInfo("orders", i, null, new Node[0], new Node[0]))
            .toList();
    Cluster cluster = new Cluster("cluster", List.of(), partitions, Set.of(), Set.of());
    return new MockProducer<>(
        cluster, acknowledging, null, new ByteArraySerializer(), new ByteArraySerializer());
  }
}
