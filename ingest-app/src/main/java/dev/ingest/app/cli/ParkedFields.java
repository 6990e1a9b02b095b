package dev.ingest.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.app.parked.ParkedEvent;
import dev.ingest.app.parked.ParkedPosition;
import dev.ingest.event.Header;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A parked event as names and values, in the order they are shown. */
final class ParkedFields {
  private ParkedFields() {}

  static Map<String, Object> of(ParkedEvent parked, boolean payload) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("topic", parked.position().topic());
    fields.put("partition", parked.position().partition());
    fields.put("offset", parked.position().offset());
    fields.put("timestamp", parked.position().timestamp());
    fields.put("route", parked.position().route());
    fields.put("status", parked.status());
    fields.put("attempts", parked.attempts());
    fields.put("firstSqlState", parked.firstSqlState());
    fields.put("firstReason", parked.firstReason());
    fields.put("lastSqlState", parked.lastSqlState());
    fields.put("lastReason", parked.lastReason());
    fields.put("constraint", parked.constraint());
    fields.put("column", parked.column());
    fields.put("firstParked", parked.firstParked().toString());
    fields.put("lastParked", parked.lastParked().toString());
    fields.put("bytes", parked.size());
    fields.put("kept", parked.inKafka() ? "in Kafka alone, too large" : "here");
    if (parked.inKafka()) {
      fields.put("fetch", fetch(parked.position()));
    }
    if (payload) {
      fields.put("key", text(parked.event().key()));
      fields.put("headers", headers(parked.event().headers()));
      fields.put("value", text(parked.event().value()));
    }
    return fields;
  }

  /** How to read the record with Kafka's own tool, while the topic still holds it. */
  private static String fetch(ParkedPosition position) {
    return "kafka-console-consumer.sh --bootstrap-server HOST:PORT --topic %s --partition %d --offset %d --max-messages 1"
        .formatted(position.topic(), position.partition(), position.offset());
  }

  private static List<Map<String, Object>> headers(List<Header> headers) {
    List<Map<String, Object>> shown = new ArrayList<>();
    for (Header header : headers) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", header.name());
      one.put("value", text(header.value()));
      shown.add(one);
    }
    return shown;
  }

  private static @Nullable String text(byte @Nullable [] bytes) {
    if (bytes == null) {
      return null;
    }
    try {
      String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text.chars().allMatch(ParkedFields::isHarmless) ? text : base64(bytes);
    } catch (CharacterCodingException notText) {
      return base64(bytes);
    }
  }

  /** A control character could change the terminal. */
  private static boolean isHarmless(int c) {
    return !Character.isISOControl(c) || c == '\n' || c == '\t' || c == '\r';
  }

  private static String base64(byte[] bytes) {
    return "base64:" + Base64.getEncoder().encodeToString(bytes);
  }
}
