package dev.ingest.app.format;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;

/** Messages of {@code google.protobuf} that stand for a value: a moment, a number, any JSON. */
final class ProtobufWellKnown {
  private static final int NANOS = 1_000_000_000;

  private ProtobufWellKnown() {}

  /** Returns whether it knew the message, and then has written it. */
  static boolean write(Message message, JsonGenerator json, int depth) throws IOException {
    switch (message.getDescriptorForType().getFullName()) {
      case "google.protobuf.Timestamp" -> json.writeString(moment(message));
      case "google.protobuf.Duration" -> json.writeString(duration(message));
      case "google.protobuf.DoubleValue",
          "google.protobuf.FloatValue",
          "google.protobuf.Int64Value",
          "google.protobuf.UInt64Value",
          "google.protobuf.Int32Value",
          "google.protobuf.UInt32Value",
          "google.protobuf.BoolValue",
          "google.protobuf.StringValue",
          "google.protobuf.BytesValue" ->
          ProtobufDecoder.scalar(
              field(message, 1), message.getField(field(message, 1)), json, depth);
      case "google.protobuf.Struct" -> struct(message, json, depth);
      case "google.protobuf.ListValue" -> list(message, json, depth);
      case "google.protobuf.Value" -> value(message, json, depth);
      default -> {
        return false;
      }
    }
    return true;
  }

  private static FieldDescriptor field(Message message, int number) {
    return message.getDescriptorForType().findFieldByNumber(number);
  }

  private static long seconds(Message message) {
    return (Long) message.getField(field(message, 1));
  }

  private static int nanos(Message message) {
    return (Integer) message.getField(field(message, 2));
  }

  private static String moment(Message message) {
    int nanos = nanos(message);
    if (nanos < 0 || nanos >= NANOS) {
      throw ProtobufDecoder.unreadable("it has a timestamp with impossible nanoseconds");
    }
    try {
      return Instant.ofEpochSecond(seconds(message), nanos).toString();
    } catch (DateTimeException tooFar) {
      throw ProtobufDecoder.unreadable("it has a timestamp that is out of range");
    }
  }

  /** As PostgreSQL takes an interval. */
  private static String duration(Message message) {
    int nanos = nanos(message);
    if (Math.abs((long) nanos) >= NANOS) {
      throw ProtobufDecoder.unreadable("it has a duration with impossible nanoseconds");
    }
    BigDecimal seconds =
        BigDecimal.valueOf(seconds(message)).add(BigDecimal.valueOf(nanos, 9)).stripTrailingZeros();
    return "PT" + seconds.toPlainString() + "S";
  }

  private static void struct(Message message, JsonGenerator json, int depth) throws IOException {
    ProtobufDecoder.field(field(message, 1), message.getField(field(message, 1)), json, depth);
  }

  private static void list(Message message, JsonGenerator json, int depth) throws IOException {
    json.writeStartArray();
    for (Object each : (List<?>) message.getField(field(message, 1))) {
      ProtobufDecoder.message((Message) each, json, depth + 1);
    }
    json.writeEndArray();
  }

  private static void value(Message message, JsonGenerator json, int depth) throws IOException {
    for (FieldDescriptor kind : message.getAllFields().keySet()) {
      if (kind.getNumber() != 1) {
        ProtobufDecoder.scalar(kind, message.getField(kind), json, depth);
        return;
      }
    }
    json.writeNull();
  }
}
