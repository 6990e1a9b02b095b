package dev.ingest.pipeline;

import dev.ingest.plan.FaultKind;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The store could not do what was asked, or something that reading an event needs is away, through
 * no fault of an event. Nothing was written: the transaction is rolled back, or its connection was
 * lost before COMMIT was sent. The message holds no row value.
 */
public final class StoreFault extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final FaultKind kind;
  private final @Nullable String sqlState;

  public StoreFault(
      FaultKind kind, @Nullable String sqlState, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = Objects.requireNonNull(kind, "kind");
    this.sqlState = sqlState;
  }

  public FaultKind kind() {
    return kind;
  }

  /** The server's SQLSTATE, null where there was none. */
  public @Nullable String sqlState() {
    return sqlState;
  }
}
