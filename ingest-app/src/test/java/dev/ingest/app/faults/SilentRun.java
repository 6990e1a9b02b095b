package dev.ingest.app.faults;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.app.cli.Arguments;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Events and settings that are full of {@link Canaries}. Immutable. */
record SilentRun(TestDatabase database, TestTopics topics, String topic) {
  private static final String GOOD = "{\"text\":\"" + Canaries.PAYLOAD + "\"}";

  /** Every secret that a setting can hold, some of which these servers do not ask for. */
  Arguments arguments(String role) {
    return Arguments.of(database, topics, topic)
        .with("ingest.postgres.user", role)
        .with("ingest.postgres.password", Canaries.SECRET)
        .with(
            "ingest.kafka.sasl.jaas.config",
            "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\""
                + " password=\""
                + Canaries.SECRET
                + "\";")
        .with("ingest.kafka.ssl.key.password", Canaries.SECRET)
        .with("ingest.kafka.ssl.truststore.password", Canaries.SECRET);
  }

  /** A table that refuses rows in every way a user's table can, most of which quote the row. */
  void refuseInManyWays() {
    database.execute(
        """
        ALTER TABLE ingest.event ADD CONSTRAINT refused CHECK (payload->>'check' IS NULL);
        CREATE UNIQUE INDEX once ON ingest.event ((payload->>'unique'));
        CREATE FUNCTION ingest.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF NEW.payload ? 'raise' THEN
            RAISE EXCEPTION 'refused: % %', NEW.business_key, NEW.payload
              USING ERRCODE = NEW.payload->>'raise', DETAIL = NEW.payload::text, HINT = NEW.business_key;
          END IF;
          IF NEW.payload ? 'null' THEN NEW.topic := NULL; END IF;
          IF NEW.payload ? 'number' THEN PERFORM (NEW.payload->>'number')::integer; END IF;
          RETURN NEW;
        END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON ingest.event FOR EACH ROW EXECUTE FUNCTION ingest.refuse();
        """);
  }

  /** Good ones, duplicates, and bad ones of many kinds. */
  void sendEvents() {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      records.add(record(key(i % 20), GOOD));
    }
    for (String bad :
        List.of(
            Canaries.PAYLOAD + " is no json",
            "{\"text\":\"" + Canaries.PAYLOAD + "\\u0000\"}",
            "{\"text\":\"" + Canaries.PAYLOAD + "\\ud800\"}",
            field("check", Canaries.PAYLOAD),
            field("unique", Canaries.PAYLOAD),
            field("unique", Canaries.PAYLOAD),
            field("raise", "P0001"),
            field("raise", "22023"),
            field("null", Canaries.PAYLOAD),
            field("number", Canaries.PAYLOAD),
            "[".repeat(20_000) + Canaries.PAYLOAD)) {
      records.add(record(key(records.size()), bad));
    }
    records.add(record(key(records.size()) + "\0", GOOD));
    records.add(new ProducerRecord<>(topic, 0, null, GOOD.getBytes(UTF_8)));
    records.add(
        new ProducerRecord<>(
            topic, 0, (Canaries.KEY + "\u00ff").getBytes(ISO_8859_1), GOOD.getBytes(UTF_8)));
    records.forEach(record -> record.headers().add("trace", Canaries.HEADER.getBytes(UTF_8)));
    topics.send(records);
  }

  /** One event for which the user's trigger raises this state, with a message that quotes it. */
  void sendRaising(String sqlState) {
    topics.send(
        topic,
        0,
        key(Integer.parseInt(sqlState, 36)),
        field("raise", sqlState),
        Map.of("trace", Canaries.HEADER));
  }

  private ProducerRecord<byte[], byte[]> record(@Nullable String key, String value) {
    return new ProducerRecord<>(
        topic, 0, key == null ? null : key.getBytes(UTF_8), value.getBytes(UTF_8));
  }

  private static String key(int number) {
    return Canaries.KEY + "-" + number;
  }

  private static String field(String name, String value) {
    return "{\"" + name + "\":\"" + value + "\",\"text\":\"" + Canaries.PAYLOAD + "\"}";
  }
}
