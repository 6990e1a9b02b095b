package dev.ingest.app.format;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.Temporal;
import java.util.UUID;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Avro's logical types as JSON: decimals are numbers with all their digits, times are text in ISO
 * form with all digits of the second, uuids are text.
 */
final class AvroLogical {
  private static final long NANOS = 1_000_000_000;
  private static final int DURATION_BYTES = 12;

  private AvroLogical() {}

  /** Makes a time of a count. */
  @FunctionalInterface
  private interface Time {
    Object of(long count);
  }

  /** Null where the schema has no logical type, or one that changes nothing. */
  static AvroDecoder.@Nullable Node node(Schema schema) {
    LogicalType type = schema.getLogicalType();
    if (type == null) {
      return isDuration(schema) ? AvroLogical::duration : null;
    }
    return switch (type.getName()) {
      case "decimal" -> decimal(schema, ((LogicalTypes.Decimal) type).getScale());
      case "big-decimal" -> AvroLogical::bigDecimal;
      case "uuid" -> schema.getType() == Schema.Type.FIXED ? AvroLogical::uuid : null;
      case "date" -> ints(LocalDate::ofEpochDay);
      case "time-millis" -> ints(millis -> LocalTime.ofNanoOfDay(millis * 1_000_000));
      case "time-micros" ->
          longs(micros -> LocalTime.ofNanoOfDay(Math.multiplyExact(micros, 1000)));
      case "timestamp-millis" -> longs(count -> moment(count, 1000));
      case "timestamp-micros" -> longs(count -> moment(count, 1_000_000));
      case "timestamp-nanos" -> longs(count -> moment(count, NANOS));
      case "local-timestamp-millis" -> longs(count -> local(count, 1000));
      case "local-timestamp-micros" -> longs(count -> local(count, 1_000_000));
      case "local-timestamp-nanos" -> longs(count -> local(count, NANOS));
      case "duration" -> AvroLogical::duration;
      default -> null;
    };
  }

  private static boolean isDuration(Schema schema) {
    return schema.getType() == Schema.Type.FIXED
        && schema.getFixedSize() == DURATION_BYTES
        && "duration".equals(schema.getProp(LogicalType.LOGICAL_TYPE_PROP));
  }

  private static AvroDecoder.Node decimal(Schema schema, int scale) {
    return schema.getType() == Schema.Type.FIXED
        ? (in, json, depth) -> decimal(in.readFixed(schema.getFixedSize()), scale, json)
        : (in, json, depth) -> decimal(in.readBytes(), scale, json);
  }

  private static void decimal(byte[] unscaled, int scale, JsonGenerator json) throws IOException {
    Documents.number(new BigDecimal(AvroDecoder.unscaled(unscaled), scale), json);
  }

  private static void bigDecimal(AvroInput in, JsonGenerator json, int depth) throws IOException {
    AvroInput inner = new AvroInput(in.readBytes(), 0);
    decimal(inner.readBytes(), inner.readInt(), json);
  }

  private static void uuid(AvroInput in, JsonGenerator json, int depth) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(in.readFixed(2 * Long.BYTES));
    json.writeString(new UUID(bytes.getLong(), bytes.getLong()).toString());
  }

  private static void duration(AvroInput in, JsonGenerator json, int depth) throws IOException {
    ByteBuffer parts = ByteBuffer.wrap(in.readFixed(DURATION_BYTES)).order(ByteOrder.LITTLE_ENDIAN);
    long months = Integer.toUnsignedLong(parts.getInt());
    long days = Integer.toUnsignedLong(parts.getInt());
    BigDecimal seconds = BigDecimal.valueOf(Integer.toUnsignedLong(parts.getInt()), 3);
    json.writeString("P" + months + "M" + days + "DT" + seconds + "S");
  }

  private static AvroDecoder.Node ints(Time time) {
    return (in, json, depth) -> write(time, in.readInt(), json);
  }

  private static AvroDecoder.Node longs(Time time) {
    return (in, json, depth) -> write(time, in.readLong(), json);
  }

  private static void write(Time time, long count, JsonGenerator json) throws IOException {
    String text;
    try {
      text = time.of(count).toString();
    } catch (DateTimeException | ArithmeticException impossible) {
      throw AvroInput.unreadable("it has a time that is out of range");
    }
    json.writeString(text);
  }

  private static Instant moment(long count, long perSecond) {
    return Instant.ofEpochSecond(
        Math.floorDiv(count, perSecond), Math.floorMod(count, perSecond) * (NANOS / perSecond));
  }

  private static Temporal local(long count, long perSecond) {
    return moment(count, perSecond).atOffset(ZoneOffset.UTC).toLocalDateTime();
  }
}
