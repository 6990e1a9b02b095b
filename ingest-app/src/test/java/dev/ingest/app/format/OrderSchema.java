package dev.ingest.app.format;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DurationProto;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.WrappersProto;

/** A proto3 file with a field of each kind, as a compiler would describe it. */
final class OrderSchema {
  static final FileDescriptorProto PROTO = proto();
  static final FileDescriptor FILE = file();

  private OrderSchema() {}

  private static FileDescriptorProto proto() {
    DescriptorProto line =
        DescriptorProto.newBuilder()
            .setName("Line")
            .addField(of("sku", 1, FieldDescriptorProto.Type.TYPE_STRING))
            .build();
    DescriptorProto.Builder order =
        DescriptorProto.newBuilder()
            .setName("Order")
            .addNestedType(line)
            .addNestedType(
                DescriptorProto.newBuilder()
                    .setName("CountsEntry")
                    .setOptions(MessageOptions.newBuilder().setMapEntry(true))
                    .addField(of("key", 1, FieldDescriptorProto.Type.TYPE_STRING))
                    .addField(of("value", 2, FieldDescriptorProto.Type.TYPE_INT64)))
            .addField(of("order_id", 1, FieldDescriptorProto.Type.TYPE_STRING))
            .addField(of("big", 2, FieldDescriptorProto.Type.TYPE_INT64))
            .addField(of("huge", 3, FieldDescriptorProto.Type.TYPE_UINT64))
            .addField(
                of("state", 4, FieldDescriptorProto.Type.TYPE_ENUM).setTypeName(".shop.State"))
            .addField(
                of("maybe", 5, FieldDescriptorProto.Type.TYPE_INT32)
                    .setProto3Optional(true)
                    .setOneofIndex(1))
            .addField(
                of("tags", 6, FieldDescriptorProto.Type.TYPE_STRING).setLabel(Label.LABEL_REPEATED))
            .addField(
                message("counts", 7, ".shop.Order.CountsEntry").setLabel(Label.LABEL_REPEATED))
            .addField(message("at", 8, ".google.protobuf.Timestamp"))
            .addField(message("took", 9, ".google.protobuf.Duration"))
            .addField(message("amount", 10, ".google.protobuf.UInt64Value"))
            .addField(of("card", 11, FieldDescriptorProto.Type.TYPE_STRING).setOneofIndex(0))
            .addField(of("cash", 12, FieldDescriptorProto.Type.TYPE_BOOL).setOneofIndex(0))
            .addField(of("raw", 13, FieldDescriptorProto.Type.TYPE_BYTES))
            .addOneofDecl(OneofDescriptorProto.newBuilder().setName("paid_by"))
            .addOneofDecl(OneofDescriptorProto.newBuilder().setName("_maybe"));
    return FileDescriptorProto.newBuilder()
        .setName("order.proto")
        .setPackage("shop")
        .setSyntax("proto3")
        .addDependency("google/protobuf/timestamp.proto")
        .addDependency("google/protobuf/duration.proto")
        .addDependency("google/protobuf/wrappers.proto")
        .addMessageType(order)
        .addMessageType(
            DescriptorProto.newBuilder()
                .setName("Other")
                .addField(of("n", 1, FieldDescriptorProto.Type.TYPE_INT32)))
        .addEnumType(
            EnumDescriptorProto.newBuilder()
                .setName("State")
                .addValue(EnumValueDescriptorProto.newBuilder().setName("NEW").setNumber(0))
                .addValue(EnumValueDescriptorProto.newBuilder().setName("PAID").setNumber(1)))
        .build();
  }

  private static FieldDescriptorProto.Builder of(
      String name, int number, FieldDescriptorProto.Type type) {
    return FieldDescriptorProto.newBuilder()
        .setName(name)
        .setNumber(number)
        .setType(type)
        .setLabel(Label.LABEL_OPTIONAL);
  }

  private static FieldDescriptorProto.Builder message(String name, int number, String type) {
    return of(name, number, FieldDescriptorProto.Type.TYPE_MESSAGE).setTypeName(type);
  }

  private static FileDescriptor file() {
    try {
      return FileDescriptor.buildFrom(
          PROTO,
          new FileDescriptor[] {
            TimestampProto.getDescriptor(),
            DurationProto.getDescriptor(),
            WrappersProto.getDescriptor()
          });
    } catch (DescriptorValidationException invalid) {
      throw new IllegalStateException(invalid);
    }
  }
}
