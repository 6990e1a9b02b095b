package dev.ingest.app.format;

import dev.ingest.app.config.RegistrySettings;
import dev.ingest.app.config.ValueSettings;
import dev.ingest.app.config.ValueSettings.Envelope;
import dev.ingest.plan.ValueFormat;
import java.nio.file.Path;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Makes formats that share one registry and what was learned from it. Thread-safe. */
public final class Formats {
  private final RegistrySettings settings;
  private @Nullable Registry registry;

  /** Contacts nobody: schemas are asked for when the first record needs them. */
  public Formats(RegistrySettings settings) {
    this.settings = settings;
  }

  /**
   * The format of a route.
   *
   * @throws dev.ingest.event.IngestException where its schema file can't be used
   */
  public ValueFormat of(ValueSettings settings) {
    ValueFormat format = outer(settings.format(), settings.schemaFile());
    return settings.envelope() == Envelope.DEBEZIUM
        ? format.then(new DebeziumEnvelope(settings.operations()))
        : format;
  }

  private ValueFormat outer(ValueSettings.Format format, @Nullable Path schemaFile) {
    return switch (format) {
      case JSON, TEXT, BYTES -> ValueFormat.asItIs();
      case AVRO ->
          schemaFile == null
              ? registered(AvroSchemas::decoder)
              : new PlainAvro(AvroSchemas.read(schemaFile));
      case PROTOBUF -> registered(ProtobufSchemas::decoder);
    };
  }

  private synchronized ValueFormat registered(SchemaCache.Compiler compiler) {
    if (registry == null) {
      registry = new Registry(settings);
    }
    return new WireFormat(new SchemaCache(registry, compiler, InstantSource.system()));
  }
}
