package dev.ingest.postgres;

import dev.ingest.event.Event;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.SqlStatePolicy;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Turns what the driver throws into faults whose text holds no row value. */
final class SqlFaults {
  private static final String INSUFFICIENT_PRIVILEGE = "42501";
  private static final String UNIQUE_VIOLATION = "23505";
  private static final String EXCLUSION_VIOLATION = "23P01";
  private static final String CHECK_VIOLATION = "23514";

  private SqlFaults() {}

  static StoreFault of(SQLException thrown) {
    return new StoreFault(kind(thrown), thrown.getSQLState(), describe(thrown), thrown);
  }

  /**
   * The fault of a statement that concerned no event, or none of those to store: settings, locks,
   * transaction id, the search's own questions, the table of parked events. No event is at fault.
   */
  static StoreFault withoutEvents(SQLException thrown) {
    return new StoreFault(
        SqlStatePolicy.withoutEvents(thrown.getSQLState()),
        thrown.getSQLState(),
        describe(thrown),
        thrown);
  }

  static FaultKind kind(SQLException thrown) {
    return SqlStatePolicy.of(thrown.getSQLState());
  }

  /** Whether a privilege or a policy of row-level security is in the way. */
  static boolean isNotAllowed(SQLException thrown) {
    return INSUFFICIENT_PRIVILEGE.equals(thrown.getSQLState());
  }

  /** Whether a row is refused that ON CONFLICT might pass over. */
  static boolean isTwice(SQLException thrown) {
    return UNIQUE_VIOLATION.equals(thrown.getSQLState())
        || EXCLUSION_VIOLATION.equals(thrown.getSQLState());
  }

  /**
   * Whether no partition of the target takes the row: the one check violation that names no
   * constraint.
   */
  static boolean isWithoutPartition(SQLException thrown) {
    return CHECK_VIOLATION.equals(thrown.getSQLState()) && constraint(thrown) == null;
  }

  /** The fault of a row that no partition takes, where its partition is to be waited for. */
  static StoreFault partitionMissing(SQLException thrown, Event event) {
    ServerErrorMessage server = server(thrown);
    return new StoreFault(
        FaultKind.ENVIRONMENT,
        thrown.getSQLState(),
        "no partition of table %s takes event %s; create it, or set"
                .formatted(server == null ? "" : server.getTable(), event)
            + " ingest.errors.missing-partition=park",
        thrown);
  }

  /**
   * For a fault of the environment the server's primary message, which names objects and no row
   * values (manual 55.3), unless it comes out of a function or trigger, which may raise any state
   * and quote what it likes; for a fault of an event, whose primary message may quote the value,
   * the names alone.
   */
  static String describe(SQLException thrown) {
    ServerErrorMessage server = server(thrown);
    if (kind(thrown) == FaultKind.BAD_EVENT) {
      return (isWithoutPartition(thrown) ? "no partition takes the row" : "the row is refused")
          + names(server);
    }
    if (server != null && server.getWhere() != null) {
      return "raised in a function or trigger of the database, whose words are in its log"
          + names(server);
    }
    // The message of a failed batch holds the statement with its values.
    boolean isSafe = !(thrown instanceof BatchUpdateException);
    String primary =
        server != null ? server.getMessage() : isSafe ? thrown.getMessage() : "batch failed";
    return primary == null
        ? thrown.getClass().getSimpleName()
        : primary.lines().findFirst().orElse("");
  }

  static @Nullable String constraint(SQLException thrown) {
    ServerErrorMessage server = server(thrown);
    return server == null ? null : server.getConstraint();
  }

  static @Nullable String column(SQLException thrown) {
    ServerErrorMessage server = server(thrown);
    return server == null ? null : server.getColumn();
  }

  private static String names(@Nullable ServerErrorMessage server) {
    StringBuilder text = new StringBuilder();
    if (server != null && server.getTable() != null) {
      text.append(", table=").append(server.getTable());
    }
    if (server != null && server.getColumn() != null) {
      text.append(", column=").append(server.getColumn());
    }
    if (server != null && server.getConstraint() != null) {
      text.append(", constraint=").append(server.getConstraint());
    }
    return text.toString();
  }

  private static @Nullable ServerErrorMessage server(SQLException thrown) {
    SQLException inner =
        thrown instanceof BatchUpdateException ? thrown.getNextException() : thrown;
    return inner instanceof PSQLException psql ? psql.getServerErrorMessage() : null;
  }
}
