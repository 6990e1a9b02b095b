package dev.ingest.app.config;

/**
 * How the text of a setting becomes a value. Implementations are stateless.
 *
 * @param <T> an immutable value
 */
public interface ValueType<T> {
  /**
   * @throws InvalidValue where the text is no such value or is out of bounds; the message says what
   *     to use instead
   */
  T parse(String text);

  /** The values it takes, for the settings table: {@code 1..100000}, {@code `key` · `none`}. */
  String values();
}
