package dev.ingest.app.schema;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Turns what the driver or Flyway threw into our one line: SQLSTATE, the server's first line,
 * advice.
 */
final class DatabaseFailure {
  private static final Set<String> TRANSIENT =
      Set.of(
          "55P03", // lock_timeout
          "40P01", "40001",
          "42P06", // somebody made the schema, the table or the type at the same moment
          "42P07", "42710", "23505");

  private static final Map<String, String> ADVICE =
      Map.of(
          "28P01", "check ingest.postgres.user and ingest.postgres.password",
          "28000", "check ingest.postgres.user and the server's pg_hba.conf",
          "3D000", "create the database or check ingest.postgres.url",
          "42501", "use a role that may CREATE in the database and in schema ingest",
          "25006", "the server is read-only; connect to the primary",
          "53300", "the server has no connection left; raise max_connections or close some");

  private DatabaseFailure() {}

  /** Whether the same work may succeed a little later. */
  static boolean isTransient(Throwable failure) {
    return sqlException(failure)
        .map(SQLException::getSQLState)
        .filter(TRANSIENT::contains)
        .isPresent();
  }

  static IngestException of(String what, Throwable failure) {
    Optional<SQLException> cause = sqlException(failure);
    String state = cause.map(SQLException::getSQLState).orElse("none");
    String reason =
        cause
            .map(SQLException::getMessage)
            .or(() -> Optional.ofNullable(failure.getMessage()))
            .orElse("");
    return new IngestException(
        isUnavailable(state) ? Code.POSTGRES_UNAVAILABLE : Code.STORE_FAILED,
        what + " sqlstate=" + state + ". " + firstSentence(reason) + advice(state),
        failure);
  }

  private static boolean isUnavailable(String state) {
    return state.startsWith("08")
        || state.startsWith("28")
        || state.startsWith("57P")
        || state.equals("3D000")
        || state.equals("53300");
  }

  private static String advice(String state) {
    String advice = ADVICE.get(state);
    if (advice == null && state.startsWith("08")) {
      return "; check ingest.postgres.url and that the server is up.";
    }
    return advice == null ? "." : "; " + advice + ".";
  }

  /** Later lines may quote a row; later sentences of the driver guess at causes. */
  private static String firstSentence(String text) {
    return text.lines().findFirst().orElse("").split("\\. |\\.$", 2)[0];
  }

  private static Optional<SQLException> sqlException(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof SQLException sql) {
        return Optional.of(sql);
      }
    }
    return Optional.empty();
  }
}
