package dev.ingest.app.config;

import dev.ingest.app.config.ValueSettings.Envelope;
import dev.ingest.app.config.ValueSettings.Format;
import dev.ingest.mapping.TombstoneRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Settings of formats, keys and columns of one route that are wrong together. */
final class ValueRules {
  private final Values values;
  private final String prefix;
  private final List<String> problems = new ArrayList<>();

  private ValueRules(Values values, String prefix) {
    this.values = values;
    this.prefix = prefix;
  }

  /**
   * Sentences without a full stop.
   *
   * @param values of one route; those that could not be parsed take part in none
   * @param prefix what the names of its settings begin with, for messages
   */
  static List<String> problems(Values values, String prefix) {
    ValueRules rules = new ValueRules(values, prefix);
    values.find(Settings.VALUE_FORMAT).ifPresent(rules::check);
    values.find(WriteSettings.TOMBSTONE).ifPresent(rules::checkTombstone);
    return rules.problems;
  }

  private void check(Format format) {
    String value = prefix + "value.format=" + format.name().toLowerCase(Locale.ROOT);
    boolean envelope = values.find(Settings.VALUE_ENVELOPE).orElse(Envelope.NONE) != Envelope.NONE;
    if (!format.hasFields()) {
      checkNoFields(value, envelope);
    }
    boolean schemaFile = values.isGiven(Settings.VALUE_SCHEMA_FILE);
    if (schemaFile && format != Format.AVRO) {
      problems.add(
          prefix + "value.schema-file has an effect only with value.format=avro; leave it out");
    }
    boolean needsRegistry = format == Format.PROTOBUF || (format == Format.AVRO && !schemaFile);
    if (needsRegistry && !values.isGiven(Settings.REGISTRY_URL)) {
      problems.add(value + " needs a schema registry; set ingest.value.registry.url");
    }
    if (!envelope && values.isGiven(Settings.VALUE_OPERATIONS)) {
      problems.add(
          prefix
              + "value.operations has an effect only with value.envelope=debezium; leave it out");
    }
  }

  /** A tombstone has no payload to take a key from. */
  private void checkTombstone(TombstoneRule tombstone) {
    if (!tombstone.deletes()) {
      return;
    }
    values
        .find(Settings.KEY_FROM)
        .filter(parts -> !keyHasFields())
        .ifPresent(
            parts -> problems.addAll(TombstoneKeys.problems(values, prefix, tombstone, parts)));
    if (keyHasFields()) {
      problems.add(
          prefix
              + "tombstone="
              + tombstone
              + " finds rows by the key, and a record without a value has none from json:/…; take "
              + prefix
              + "key.from from record-key or header:NAME");
    }
  }

  private boolean keyHasFields() {
    return values
        .find(Settings.KEY_FROM)
        .filter(parts -> parts.stream().anyMatch(KeyPart.JsonValue.class::isInstance))
        .isPresent();
  }

  private void checkNoFields(String value, boolean envelope) {
    if (envelope) {
      problems.add(value + " has no envelope; leave value.envelope out");
    }
    if (keyHasFields()) {
      problems.add(
          value + " has no fields, so no key can come from json:/…; use record-key or header:NAME");
    }
    values
        .below(Settings.TARGET_COLUMNS)
        .forEach(
            (column, source) -> {
              if (source.startsWith("json:")) {
                problems.add(
                    value
                        + " has no fields, so no column can be filled from them; mend "
                        + prefix
                        + "target.columns."
                        + column);
              }
            });
  }
}
