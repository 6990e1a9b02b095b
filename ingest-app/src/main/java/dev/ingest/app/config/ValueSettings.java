package dev.ingest.app.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What record values are written in. Immutable.
 *
 * @param operations of a Debezium envelope that are stored
 * @param schemaFile the Avro schema of values that name none; null where a registry has the schemas
 */
public record ValueSettings(
    Format format, Envelope envelope, List<Operation> operations, @Nullable Path schemaFile) {
  /** Of values. */
  public enum Format {
    JSON,
    TEXT,
    BYTES,
    AVRO,
    PROTOBUF;

    /** Whether values have fields that columns and keys can be taken from. */
    boolean hasFields() {
      return this != TEXT && this != BYTES;
    }
  }

  /** What lies around an event. */
  public enum Envelope {
    NONE,
    DEBEZIUM
  }

  /** What a change event says happened to a row. */
  public enum Operation {
    CREATE,
    READ,
    UPDATE
  }

  public ValueSettings {
    Objects.requireNonNull(format, "format");
    Objects.requireNonNull(envelope, "envelope");
    operations = List.copyOf(operations);
  }

  /**
   * @param values whose settings have been parsed
   */
  static ValueSettings of(Values values) {
    return new ValueSettings(
        values.get(Settings.VALUE_FORMAT),
        values.get(Settings.VALUE_ENVELOPE),
        values.get(Settings.VALUE_OPERATIONS),
        values.find(Settings.VALUE_SCHEMA_FILE).orElse(null));
  }

  /** Whether schemas come from a registry. */
  public boolean needsRegistry() {
    return format == Format.PROTOBUF || (format == Format.AVRO && schemaFile == null);
  }
}
