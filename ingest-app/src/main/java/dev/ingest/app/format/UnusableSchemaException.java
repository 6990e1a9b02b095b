package dev.ingest.app.format;

/** A schema that no decoder can be made of. The message holds nothing of a record. */
final class UnusableSchemaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnusableSchemaException(String message) {
    super(message);
  }

  UnusableSchemaException(String message, Throwable cause) {
    super(message, cause);
  }
}
