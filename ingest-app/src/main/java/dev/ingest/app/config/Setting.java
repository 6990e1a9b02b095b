package dev.ingest.app.config;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One row of the settings table. Immutable.
 *
 * @param key the name in a YAML file and for {@code --set}, {@code ingest.batch.max-events}
 * @param defaultText the text that stands where nobody set it; null where there is none
 * @param required whether a command that needs its {@link Concern} refuses to start without it
 * @param effect one line for the settings table
 */
public record Setting<T>(
    String key, ValueType<T> type, @Nullable String defaultText, boolean required, String effect) {

  public Setting {
    Objects.requireNonNull(type, "type");
    if (!key.matches("ingest(\\.[a-z][a-z0-9-]*)+")) {
      throw new IllegalArgumentException("key=" + key + " is not of the form ingest.concern.name");
    }
    if (effect.isBlank() || effect.contains("\n")) {
      throw new IllegalArgumentException("effect of " + key + " is not one line");
    }
  }

  static <T> Setting<T> of(String key, ValueType<T> type, String defaultText, String effect) {
    return new Setting<>(key, type, defaultText, false, effect);
  }

  static <T> Setting<T> required(String key, ValueType<T> type, String effect) {
    return new Setting<>(key, type, null, true, effect);
  }

  static <T> Setting<T> optional(String key, ValueType<T> type, String effect) {
    return new Setting<>(key, type, null, false, effect);
  }

  Optional<String> defaultValue() {
    return Optional.ofNullable(defaultText);
  }

  /** {@code INGEST_BATCH_MAX_EVENTS}. */
  String environmentName() {
    return environmentName(key);
  }

  static String environmentName(String key) {
    return key.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
  }

  /** Whether its value is never shown. */
  boolean secret() {
    return SecretNames.matches(key);
  }
}
