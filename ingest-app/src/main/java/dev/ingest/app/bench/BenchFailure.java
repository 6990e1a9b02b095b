package dev.ingest.app.bench;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.sql.SQLException;

/** Says in one line what failed; no message of the server, which may quote a row. */
public final class BenchFailure {
  private BenchFailure() {}

  /**
   * @param what begins the sentence "… failed"
   */
  public static IngestException of(String what, SQLException failed) {
    String state = String.valueOf(failed.getSQLState());
    boolean away = state.startsWith("08") || state.startsWith("28") || state.equals("3D000");
    String advice =
        switch (state) {
          case "42501" -> "; the role needs CREATEDB and pg_monitor, since bench makes a database.";
          default -> away ? "; check --postgres, --postgres-user and the password file." : ".";
        };
    return new IngestException(
        away ? Code.POSTGRES_UNAVAILABLE : Code.STORE_FAILED,
        what + " failed, sqlstate=" + state + advice,
        failed);
  }

  /**
   * @param what begins the sentence "… failed"
   */
  public static IngestException of(String what, Exception failed) {
    if (failed instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    return new IngestException(
        Code.INTERNAL, what + " failed: " + failed.getClass().getSimpleName() + ".", failed);
  }
}
