package dev.ingest.app.format;

import com.google.protobuf.AnyProto;
import com.google.protobuf.ApiProto;
import com.google.protobuf.DescriptorProtos;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DurationProto;
import com.google.protobuf.EmptyProto;
import com.google.protobuf.FieldMaskProto;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.SourceContextProto;
import com.google.protobuf.StructProto;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.TypeProto;
import com.google.protobuf.WrappersProto;
import dev.ingest.app.format.Registry.RegisteredSchema;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Decoders from Protobuf schemas, which the registry gives as compiled descriptors. */
final class ProtobufSchemas {
  /** What schemas may import though no registry lists it. */
  private static final Map<String, FileDescriptor> WELL_KNOWN =
      Stream.of(
              AnyProto.getDescriptor(),
              ApiProto.getDescriptor(),
              DescriptorProtos.getDescriptor(),
              DurationProto.getDescriptor(),
              EmptyProto.getDescriptor(),
              FieldMaskProto.getDescriptor(),
              SourceContextProto.getDescriptor(),
              StructProto.getDescriptor(),
              TimestampProto.getDescriptor(),
              TypeProto.getDescriptor(),
              WrappersProto.getDescriptor())
          .collect(Collectors.toMap(FileDescriptor::getName, file -> file));

  private ProtobufSchemas() {}

  /** From a registered schema and those that it imports. */
  static Decoder decoder(Registry registry, RegisteredSchema schema) {
    if (!schema.type().equals("PROTOBUF")) {
      throw new UnusableSchemaException("it is of type " + schema.type() + ", not PROTOBUF");
    }
    Map<String, FileDescriptor> files = new HashMap<>(WELL_KNOWN);
    new References(registry)
        .forEach(
            schema,
            (reference, used) -> files.putIfAbsent(reference.name(), file(used.text(), files)));
    return new ProtobufDecoder(file(schema.text(), files));
  }

  private static FileDescriptor file(String base64, Map<String, FileDescriptor> files) {
    FileDescriptorProto proto = strict(parse(base64));
    List<FileDescriptor> imports = new ArrayList<>();
    for (String name : proto.getDependencyList()) {
      FileDescriptor imported = files.get(name);
      if (imported == null) {
        throw new UnusableSchemaException("it imports " + name + ", which it has no reference to");
      }
      imports.add(imported);
    }
    try {
      return FileDescriptor.buildFrom(proto, imports.toArray(FileDescriptor[]::new));
    } catch (DescriptorValidationException invalid) {
      throw new UnusableSchemaException("it is no valid Protobuf descriptor", invalid);
    }
  }

  private static FileDescriptorProto parse(String base64) {
    try {
      return FileDescriptorProto.parseFrom(Base64.getDecoder().decode(base64.strip()));
    } catch (IllegalArgumentException | InvalidProtocolBufferException other) {
      throw new UnusableSchemaException(
          "the registry gives it as text; one that knows ?format=serialized is needed", other);
    }
  }

  /** Strings that are not UTF-8 are refused in proto2 too, where they would be mended silently. */
  private static FileDescriptorProto strict(FileDescriptorProto file) {
    if (file.getSyntax().equals("proto3") || file.getSyntax().equals("editions")) {
      return file;
    }
    return file.toBuilder()
        .setOptions(file.getOptions().toBuilder().setJavaStringCheckUtf8(true))
        .build();
  }
}
