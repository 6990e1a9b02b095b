package dev.ingest.queue;

import dev.ingest.plan.FaultKind;
import dev.ingest.plan.SqlStatePolicy;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tells errors that speak of the server from those that the work met by itself. */
final class ServerFault {
  /** An error that a handler caught and did not tell still holds the transaction. */
  private static final String ABORTED = "25P02";

  private static final String LOCK_NOT_AVAILABLE = "55P03";

  private static final int DEEPEST = 20;

  private ServerFault() {}

  /**
   * The first {@link SQLException} among what was thrown and its causes, if it speaks of the
   * server. One without a state comes from a driver, a pool or the handler itself: it does only
   * where the connection is lost.
   */
  static Optional<SQLException> in(Throwable thrown, boolean connectionLost) {
    if (thrown instanceof JobFailedException) {
      return Optional.empty();
    }
    @Nullable Throwable cause = thrown;
    for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
      if (cause instanceof SQLException found) {
        return speaksOfServer(found.getSQLState(), connectionLost)
            ? Optional.of(found)
            : Optional.empty();
      }
      cause = cause.getCause();
    }
    return Optional.empty();
  }

  /** Whether others were in the way just then, or what the session had prepared was out of date. */
  static boolean isPassing(SQLException refused) {
    FaultKind kind = SqlStatePolicy.of(refused.getSQLState());
    return kind == FaultKind.TRANSIENT || kind == FaultKind.STALE_PLAN;
  }

  /** Whether a lock was not to be had in time. */
  static boolean isLocked(SQLException refused) {
    return LOCK_NOT_AVAILABLE.equals(refused.getSQLState());
  }

  private static boolean speaksOfServer(@Nullable String state, boolean connectionLost) {
    if (state == null || ABORTED.equals(state)) {
      return state == null && connectionLost;
    }
    return switch (SqlStatePolicy.of(state)) {
      case CONNECTION, LOCK_TABLE_FULL, ENVIRONMENT -> true;
      case TRANSIENT, STALE_PLAN, BAD_EVENT, PROGRAM -> false;
    };
  }
}
