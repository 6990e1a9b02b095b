package dev.ingest.app.config;

/** A group of settings that a command may need: its required settings must then be there. */
public enum Concern {
  /** {@code ingest.kafka.*}: reaching the brokers. */
  KAFKA("ingest.kafka."),
  /** {@code ingest.source.*}: what is read. */
  SOURCE("ingest.source."),
  /** {@code ingest.postgres.*}: reaching the database. */
  POSTGRES("ingest.postgres.");

  private final String prefix;

  Concern(String prefix) {
    this.prefix = prefix;
  }

  boolean owns(Setting<?> setting) {
    return setting.key().startsWith(prefix);
  }
}
