package dev.ingest.app.jobs;

import dev.ingest.app.config.JobSettings;
import dev.ingest.queue.Job;
import dev.ingest.queue.TransactionHandler;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;

/**
 * Calls a function of the database, in the transaction that completes the job: what it does in this
 * database happens exactly once. Thread-safe.
 */
final class FunctionCall implements TransactionHandler {
  /**
   * Filled in with the function and its second argument. Binds: statement timeout in milliseconds
   * as text, key, payload, source.
   */
  private static final String CALL =
      """
      SELECT set_config('statement_timeout', ?, true);
      SELECT %s(?::text, %s, ?::text)
      """;

  /** What the server may take to say that it ended a call. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final String sql;
  private final String timeoutMillis;
  private final int patienceMillis;

  FunctionCall(JobSettings.Run run) {
    this.sql = CALL.formatted(run.function(), argument(run.payload()));
    this.timeoutMillis = Long.toString(run.timeout().toMillis());
    this.patienceMillis = Math.toIntExact(run.timeout().plus(GRACE).toMillis());
  }

  /** The function with the types of its parameters, as SQL names it. */
  static String signature(JobSettings.Run run) {
    return run.function() + "(text, " + run.payload().name().toLowerCase(Locale.ROOT) + ", text)";
  }

  private static String argument(JobSettings.Payload payload) {
    return switch (payload) {
      case BYTEA -> "?::bytea";
      case TEXT -> "convert_from(?::bytea, 'UTF8')";
      case JSONB -> "convert_from(?::bytea, 'UTF8')::jsonb";
    };
  }

  @Override
  public void handle(Connection connection, Job job) throws SQLException {
    EventJob event = EventJob.in(job);
    waitForAnswer(connection);
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, timeoutMillis);
      statement.setString(2, event.key());
      statement.setBytes(3, event.value());
      statement.setString(4, event.source());
      statement.execute();
    }
  }

  /**
   * A call may take longer than {@code ingest.postgres.socket-timeout}, which would give up a
   * connection that works, and the same call with each try. A pool sets it back.
   */
  private void waitForAnswer(Connection connection) throws SQLException {
    int patience = connection.getNetworkTimeout();
    if (patience > 0 && patience < patienceMillis) {
      connection.setNetworkTimeout(Runnable::run, patienceMillis);
    }
  }
}
