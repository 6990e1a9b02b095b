package dev.ingest.app.config;

/**
 * A value that its type refuses. The message continues a sentence that began with {@code
 * key=value}.
 */
final class InvalidValue extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final boolean confidential;

  private InvalidValue(String message, boolean confidential) {
    super(message, null, false, false);
    this.confidential = confidential;
  }

  static InvalidValue of(String message) {
    return new InvalidValue(message, false);
  }

  /** For a value that may hold a secret: the sentence then names the key alone. */
  static InvalidValue confidential(String message) {
    return new InvalidValue(message, true);
  }

  boolean isConfidential() {
    return confidential;
  }
}
