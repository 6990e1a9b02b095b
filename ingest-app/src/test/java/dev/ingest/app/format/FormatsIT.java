package dev.ingest.app.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.DynamicMessage;
import dev.ingest.app.config.Concern;
import dev.ingest.app.config.Config;
import dev.ingest.app.config.SettingSources;
import dev.ingest.app.run.IngestProcess;
import dev.ingest.app.run.TargetCheck;
import dev.ingest.pipeline.IngestConsumer;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.Tally;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.avro.generic.GenericData;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Records of each format, from the topic to the typed column. */
class FormatsIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  private static final String AVRO =
      """
      {"type":"record","name":"Order","fields":[
        {"name":"id","type":"string"},
        {"name":"amount","type":{"type":"bytes","logicalType":"decimal","precision":20,"scale":4}},
        {"name":"at","type":{"type":"long","logicalType":"timestamp-micros"}},
        {"name":"raw","type":["null","bytes"]}]}
      """;

  private final RegistryStub registry = RegistryStub.start();
  private final TestDatabase database = POSTGRES.database();
  private final TestTopics topics = KAFKA.topics();
  private final List<String> settings = new ArrayList<>();

  @TempDir Path folder;

  @BeforeEach
  void createTables() {
    database.execute("DROP SCHEMA IF EXISTS app CASCADE; DROP SCHEMA IF EXISTS ingest CASCADE");
    Schema.create(database);
    database.execute(
        "CREATE SCHEMA app; CREATE TABLE app.o (id text PRIMARY KEY, amount numeric, at timestamptz,"
            + " raw bytea, whole jsonb, came bytea)");
  }

  @AfterEach
  void stop() {
    registry.close();
  }

  private Config config(String topic) {
    settings.addAll(
        List.of(
            "ingest.source.topics=" + topic,
            "ingest.source.group-id=" + topic,
            "ingest.kafka.bootstrap.servers=" + topics.bootstrap(),
            "ingest.postgres.url=" + database.url(),
            "ingest.postgres.user=" + database.user()));
    return Config.load(
        new SettingSources(folder.resolve("none.yaml"), false, Map.of(), settings),
        EnumSet.allOf(Concern.class));
  }

  private void set(String... assignments) {
    settings.addAll(List.of(assignments));
  }

  private void typedColumns() {
    set(
        "ingest.key.from=json:/id",
        "ingest.target.table=app.o",
        "ingest.target.columns.id=key",
        "ingest.target.columns.amount=json:/amount",
        "ingest.target.columns.at=json:/at",
        "ingest.target.columns.raw=json:/raw | base64",
        "ingest.target.columns.whole=payload",
        "ingest.target.columns.came=payload");
  }

  private String send(byte[]... values) {
    String topic = topics.createTopic(1);
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (byte[] value : values) {
      records.add(new ProducerRecord<>(topic, 0, "k".getBytes(UTF_8), value));
    }
    topics.send(records);
    return topic;
  }

  private Tally.Totals run(String topic) {
    Tally tally = new Tally();
    Config config = config(topic);
    assertThat(TargetCheck.run(config)).isEmpty();
    try (IngestProcess process = IngestProcess.create(config, tally)) {
      process.start();
      awaitDone(topic);
    }
    return tally.totals();
  }

  private void awaitDone(String topic) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(topics.lag(topic, topic)).isZero());
  }

  private static byte[] avro(String id, long unscaled) {
    var schema = AvroDecoderTest.schema(AVRO);
    GenericData.Record value = new GenericData.Record(schema);
    value.put("id", id);
    value.put("amount", ByteBuffer.wrap(BigInteger.valueOf(unscaled).toByteArray()));
    value.put("at", 1517363399650123L);
    value.put("raw", ByteBuffer.wrap(new byte[] {0, -1}));
    return AvroDecoderTest.encode(schema, value);
  }

  private static byte[] framed(int id, byte[] value) {
    return ByteBuffer.allocate(5 + value.length).put((byte) 0).putInt(id).put(value).array();
  }

  private String row(String id) {
    return database
        .query(
            "SELECT concat_ws(' ', amount, extract(epoch FROM at), encode(raw, 'hex'),"
                + " whole ->> 'at', encode(came, 'hex')) AS row FROM app.o WHERE id = '"
                + id
                + "'")
        .toString();
  }

  @Test
  void avroOfARegistryReachesTypedColumnsExactlyAndWaitsWhileItIsAway() throws Exception {
    registry.register(7, "AVRO", AVRO);
    registry.status(503);
    byte[] good = framed(7, avro("a", -123_456_789_012_345_678L));
    byte[] truncated = Arrays.copyOf(good, good.length - 1);
    String topic = send(good, truncated, framed(8, avro("b", 1)), avro("c", 1), good);
    typedColumns();
    set("ingest.value.format=avro", "ingest.value.registry.url=" + registry.url());

    Tally tally = new Tally();
    try (IngestProcess process = IngestProcess.create(config(topic), tally)) {
      process.start();
      IngestConsumer consumer = process.consumers().get(0);
      await().atMost(Duration.ofSeconds(30)).until(consumer::isPaused);
      assertThat(database.count("SELECT count(*) FROM ingest.parked")).isZero();
      registry.status(200);
      awaitDone(topic);
      assertThat(consumer.isPaused()).isFalse();
    }

    assertThat(tally.totals()).isEqualTo(new Tally.Totals(5, 1, 1, 3, 0));
    assertThat(row("a"))
        .contains("-12345678901234.5678 1517363399.650123 00ff 2018-01-31T01:49:59.650123Z")
        .contains(HexFormat.of().formatHex(good));
    assertThat(
            database
                .query("SELECT last_reason FROM ingest.parked ORDER BY record_offset")
                .toString())
        .contains("it ends too early")
        .contains("has no schema of the id")
        .contains("does not begin with a zero byte");
    assertThat(
            database.count("SELECT count(*) FROM ingest.parked WHERE record_value = ?", truncated))
        .isOne();
  }

  @Test
  void avroOfASchemaFileNeedsNoRegistry() throws Exception {
    Path schema = Files.writeString(folder.resolve("order.avsc"), AVRO);
    String topic = send(avro("a", 5));
    typedColumns();
    set("ingest.value.format=avro", "ingest.value.schema-file=" + schema);

    assertThat(run(topic)).isEqualTo(new Tally.Totals(1, 1, 0, 0, 0));
    assertThat(row("a")).contains("0.0005 1517363399.650123 00ff");
  }

  @Test
  void checkTellsOfASchemaFileThatHoldsNone() {
    set("ingest.value.format=avro", "ingest.value.schema-file=" + folder.resolve("none.avsc"));
    Config config = config("t");

    assertThatThrownBy(() -> TargetCheck.run(config))
        .hasMessageStartingWith("CONFIG_INVALID: ingest.value.schema-file=");
  }

  @Test
  void keyThatNoIndexHoldsIsRefusedOrStoredOnceAsItsDigest() {
    byte[] event = ("{\"id\":\"" + "å".repeat(2000) + "\"}").getBytes(UTF_8);
    String topic = send(event, event);
    set("ingest.key.from=json:/id");
    assertThat(run(topic)).isEqualTo(new Tally.Totals(2, 0, 0, 2, 0));

    settings.clear();
    String again = send(event, event);
    set("ingest.key.from=json:/id", "ingest.key.too-long=digest");
    assertThat(run(again)).isEqualTo(new Tally.Totals(2, 1, 1, 0, 0));
    assertThat(
            database.count(
                "SELECT count(*) FROM ingest.event WHERE business_key = 'sha256:' ||"
                    + " encode(sha256(convert_to(repeat('å', 2000), 'UTF8')), 'hex')"))
        .isOne();
  }

  @Test
  void protobufOfARegistryReachesTypedColumns() {
    var type = OrderSchema.FILE.findMessageTypeByName("Order");
    byte[] message =
        DynamicMessage.newBuilder(type)
            .setField(type.findFieldByName("order_id"), "p")
            .setField(type.findFieldByName("huge"), -1L)
            .build()
            .toByteArray();
    byte[] indexed = new byte[message.length + 1];
    System.arraycopy(message, 0, indexed, 1, message.length);
    registry.register(
        9, "PROTOBUF", Base64.getEncoder().encodeToString(OrderSchema.PROTO.toByteArray()));
    String topic = send(framed(9, indexed));
    set(
        "ingest.value.format=protobuf",
        "ingest.value.registry.url=" + registry.url(),
        "ingest.key.from=json:/order_id",
        "ingest.target.table=app.o",
        "ingest.target.columns.id=key",
        "ingest.target.columns.amount=json:/huge",
        "ingest.target.columns.at=json:/at");

    assertThat(run(topic)).isEqualTo(new Tally.Totals(1, 1, 0, 0, 0));
    assertThat(row("p")).contains("18446744073709551615");
  }

  @Test
  void changeEventsBecomeTheirRowAndOtherChangesAreSkipped() {
    String row = "{\"id\":\"d\",\"amount\":1.10,\"at\":\"2018-01-31T01:49:59Z\",\"raw\":null}";
    String topic =
        send(
            ("{\"op\":\"c\",\"after\":" + row + "}").getBytes(UTF_8),
            ("{\"schema\":{},\"payload\":{\"op\":\"r\",\"after\":" + row + "}}").getBytes(UTF_8),
            "{\"op\":\"d\",\"before\":{},\"after\":null}".getBytes(UTF_8));
    typedColumns();
    set("ingest.value.envelope=debezium");

    assertThat(run(topic)).isEqualTo(new Tally.Totals(3, 1, 1, 0, 1));
    assertThat(row("d")).contains("1.10 1517363399.000000 2018-01-31T01:49:59Z");
  }

  @Test
  void plainTextReachesTheDefaultTableAndBytesTheirColumn() {
    String text = send("say \"hi\"\\".getBytes(UTF_8));
    set("ingest.value.format=text");
    assertThat(run(text)).isEqualTo(new Tally.Totals(1, 1, 0, 0, 0));
    assertThat(database.query("SELECT payload #>> '{}' AS text FROM ingest.event").toString())
        .contains("say \"hi\"\\");

    settings.clear();
    String bytes = send(new byte[] {0, -1, 7});
    set("ingest.value.format=bytes");
    assertThat(TargetCheck.run(config(bytes)))
        .anyMatch(problem -> problem.contains("only a column of type bytea takes"));

    settings.clear();
    set(
        "ingest.value.format=bytes",
        "ingest.target.table=app.o",
        "ingest.target.columns.id=key",
        "ingest.target.columns.came=payload");
    assertThat(run(bytes)).isEqualTo(new Tally.Totals(1, 1, 0, 0, 0));
    assertThat(row("k")).contains("00ff07");
  }
}
