package dev.ingest.app.jobs;

import dev.ingest.app.config.JobSettings;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Looks for the functions that jobs call. Reads the catalog alone. */
public final class FunctionCheck {
  /** Bind: function with the types of its parameters. */
  private static final String MAY_CALL =
      "SELECT f.oid IS NOT NULL, has_function_privilege(f.oid, 'EXECUTE')"
          + " FROM to_regprocedure(?) AS f(oid)";

  private FunctionCheck() {}

  /**
   * @return every problem as a sentence without a full stop, with the setting to change
   * @throws IngestException where the database can't be asked
   */
  public static List<String> problems(DataSource database, List<JobSettings> jobs) {
    List<String> problems = new ArrayList<>();
    for (JobSettings job : jobs) {
      if (job.action() instanceof JobSettings.Run run) {
        check(database, job.name(), run, problems);
      }
    }
    return problems;
  }

  private static void check(
      DataSource database, String name, JobSettings.Run run, List<String> problems) {
    String signature = FunctionCall.signature(run);
    String setting = "ingest.jobs." + name + ".sql.function=" + run.function();
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(MAY_CALL)) {
      statement.setString(1, signature);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        if (!row.getBoolean(1)) {
          problems.add(setting + " does not exist; create " + signature);
        } else if (!row.getBoolean(2)) {
          problems.add(setting + " may not be called by our role; GRANT EXECUTE on " + signature);
        }
      }
    } catch (SQLException failed) {
      throw new IngestException(
          Code.POSTGRES_UNAVAILABLE, "sqlstate=" + failed.getSQLState() + " " + setting, failed);
    }
  }
}
