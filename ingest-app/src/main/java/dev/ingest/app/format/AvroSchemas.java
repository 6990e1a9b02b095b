package dev.ingest.app.format;

import dev.ingest.app.format.Registry.RegisteredSchema;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;

/** Decoders from Avro schemas. */
final class AvroSchemas {
  private AvroSchemas() {}

  /** From a registered schema and those that it refers to. */
  static Decoder decoder(Registry registry, RegisteredSchema schema) {
    if (!schema.type().equals("AVRO")) {
      throw new UnusableSchemaException("it is of type " + schema.type() + ", not AVRO");
    }
    Schema.Parser parser = parser();
    new References(registry).forEach(schema, (reference, used) -> parse(parser, used.text()));
    return new AvroDecoder(parse(parser, schema.text()));
  }

  /**
   * From a file.
   *
   * @throws IngestException {@code CONFIG_INVALID} where it can't be read or holds no schema
   */
  static Decoder read(Path file) {
    try {
      return new AvroDecoder(parse(parser(), Files.readString(file)));
    } catch (IOException | UnusableSchemaException unusable) {
      throw new IngestException(
          Code.CONFIG_INVALID,
          "ingest.value.schema-file="
              + file
              + " holds no Avro schema that can be read ("
              + unusable.getClass().getSimpleName()
              + "); give the path of an .avsc file.",
          unusable);
    }
  }

  /** As lenient as the registry, which has checked the schema already. */
  private static Schema.Parser parser() {
    return new Schema.Parser(NameValidator.NO_VALIDATION).setValidateDefaults(false);
  }

  private static Schema parse(Schema.Parser parser, String text) {
    try {
      return parser.parse(text);
    } catch (AvroRuntimeException invalid) {
      throw new UnusableSchemaException("it is no valid Avro schema", invalid);
    }
  }
}
