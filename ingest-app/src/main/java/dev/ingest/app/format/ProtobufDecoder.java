package dev.ingest.app.format;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import dev.ingest.mapping.UnfitValueException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decodes values of the messages of one file, chosen by the indexes that stand before the message.
 * Fields have the names of the file. One that knows whether it is set is left out where it is not;
 * any other has a value always, as the language says. Immutable.
 */
final class ProtobufDecoder implements Decoder {
  private static final int MAX_INDEXES = 100;

  private final FileDescriptor file;

  ProtobufDecoder(FileDescriptor file) {
    this.file = file;
  }

  @Override
  public void decode(byte[] bytes, int from, JsonGenerator into) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(bytes, from, bytes.length - from);
    DynamicMessage message;
    try {
      Descriptor type = type(in);
      message = DynamicMessage.newBuilder(type).mergeFrom(in).build();
      in.checkLastTagWas(0);
    } catch (IOException | RuntimeException other) {
      throw other instanceof UnfitValueException unfit ? unfit : unreadable("it can't be parsed");
    }
    message(message, into, 1);
  }

  /** The indexes lead from the file to the message, through those that it is nested in. */
  private Descriptor type(CodedInputStream in) throws IOException {
    int count = in.readSInt32();
    if (count < 0 || count > MAX_INDEXES) {
      throw unreadable("it has an impossible number of message indexes");
    }
    Descriptor type = pick(file.getMessageTypes(), count == 0 ? 0 : in.readSInt32());
    for (int i = 1; i < count; i++) {
      type = pick(type.getNestedTypes(), in.readSInt32());
    }
    return type;
  }

  private static Descriptor pick(List<Descriptor> types, int index) {
    if (index < 0 || index >= types.size()) {
      throw unreadable("its message indexes lead to no message of the schema");
    }
    return types.get(index);
  }

  static void message(Message message, JsonGenerator json, int depth) throws IOException {
    Documents.checkDepth(depth);
    if (ProtobufWellKnown.write(message, json, depth)) {
      return;
    }
    json.writeStartObject();
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      if (!field.hasPresence() || message.hasField(field)) {
        json.writeFieldName(field.getName());
        field(field, message.getField(field), json, depth);
      }
    }
    json.writeEndObject();
  }

  static void field(FieldDescriptor field, Object value, JsonGenerator json, int depth)
      throws IOException {
    if (field.isMapField()) {
      map((List<?>) value, json, depth + 1);
    } else if (field.isRepeated()) {
      json.writeStartArray();
      for (Object each : (List<?>) value) {
        scalar(field, each, json, depth + 1);
      }
      json.writeEndArray();
    } else {
      scalar(field, value, json, depth);
    }
  }

  /** Of entries with one key the last holds, as the language says. */
  private static void map(List<?> entries, JsonGenerator json, int depth) throws IOException {
    Set<String> seen = new HashSet<>();
    List<Message> last = new ArrayList<>();
    for (int i = entries.size() - 1; i >= 0; i--) {
      Message entry = (Message) entries.get(i);
      if (seen.add(key(entry))) {
        last.add(entry);
      }
    }
    json.writeStartObject();
    for (int i = last.size() - 1; i >= 0; i--) {
      Message entry = last.get(i);
      FieldDescriptor value = entry.getDescriptorForType().findFieldByNumber(2);
      json.writeFieldName(key(entry));
      scalar(value, entry.getField(value), json, depth);
    }
    json.writeEndObject();
  }

  private static String key(Message entry) {
    FieldDescriptor key = entry.getDescriptorForType().findFieldByNumber(1);
    String unsigned = unsigned(key, entry.getField(key));
    return unsigned == null ? String.valueOf(entry.getField(key)) : unsigned;
  }

  static void scalar(FieldDescriptor field, Object value, JsonGenerator json, int depth)
      throws IOException {
    String unsigned = unsigned(field, value);
    if (unsigned != null) {
      json.writeNumber(unsigned);
      return;
    }
    switch (field.getJavaType()) {
      case INT -> json.writeNumber((Integer) value);
      case LONG -> json.writeNumber((Long) value);
      case FLOAT -> json.writeNumber((Float) value);
      case DOUBLE -> json.writeNumber((Double) value);
      case BOOLEAN -> json.writeBoolean((Boolean) value);
      case STRING -> json.writeString((String) value);
      case BYTE_STRING -> Documents.base64(((ByteString) value).toByteArray(), json);
      case ENUM -> enumeration((EnumValueDescriptor) value, json);
      case MESSAGE -> message((Message) value, json, depth + 1);
    }
  }

  /** Java has no unsigned numbers: they come as negative ones. */
  private static @Nullable String unsigned(FieldDescriptor field, Object value) {
    return switch (field.getType()) {
      case UINT32, FIXED32 -> Integer.toUnsignedString((Integer) value);
      case UINT64, FIXED64 -> Long.toUnsignedString((Long) value);
      default -> null;
    };
  }

  /** A number that the schema has no name for is kept as a number. */
  private static void enumeration(EnumValueDescriptor value, JsonGenerator json)
      throws IOException {
    if (value.getIndex() < 0) {
      json.writeNumber(value.getNumber());
    } else {
      json.writeString(value.getName());
    }
  }

  static UnfitValueException unreadable(String why) {
    return new UnfitValueException("22000", "the value is no Protobuf of its schema: " + why);
  }
}
