package dev.ingest.event;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The one unchecked exception of the project. Its message is one line: code, what happened, which
 * value, what to do. It never holds a key, a payload or a secret.
 */
public final class IngestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What kind of fault it is, for counting and for exit codes. */
  public enum Code {
    /** Wrong usage or settings; nothing was contacted. */
    CONFIG_INVALID,
    /** The schema is absent or older than the program. */
    SCHEMA_MISSING,
    /** The target table can't take the events as mapped. */
    TARGET_INVALID,
    /** PostgreSQL could not be reached or refused the connection. */
    POSTGRES_UNAVAILABLE,
    /** PostgreSQL refused a statement in a way that no retry mends. */
    STORE_FAILED,
    /** Kafka could not be reached or refused the client. */
    KAFKA_UNAVAILABLE,
    /** A topic that the settings name does not exist. */
    TOPIC_MISSING,
    /** Committed offsets point outside what the topic still holds. */
    OFFSETS_OUT_OF_RANGE,
    /** A bad event met the policy {@code stop}. */
    BAD_EVENT,
    /** Counts don't add up, or a check found problems. */
    VERIFY_FAILED,
    /** A fault of the program itself. */
    INTERNAL
  }

  private final Code code;

  public IngestException(Code code, String message) {
    this(code, message, null);
  }

  public IngestException(Code code, String message, @Nullable Throwable cause) {
    super(Objects.requireNonNull(code, "code") + ": " + message, cause);
    this.code = code;
  }

  public Code code() {
    return code;
  }
}
