package dev.ingest.app.schema;

import java.sql.SQLException;
import java.sql.Statement;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;

/** Sets {@code lock_timeout} in the transaction of every migration. */
final class LockWaitLimit extends BaseCallback {
  @Override
  public boolean supports(Event event, Context context) {
    return event == Event.BEFORE_EACH_MIGRATE;
  }

  @Override
  public void handle(Event event, Context context) {
    try (Statement statement = context.getConnection().createStatement()) {
      statement.execute(Statements.LIMIT_LOCK_WAIT);
    } catch (SQLException e) {
      throw new FlywayException("lock_timeout could not be set", e);
    }
  }
}
