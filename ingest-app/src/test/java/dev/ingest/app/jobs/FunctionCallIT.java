package dev.ingest.app.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.app.config.JobSettings;
import dev.ingest.queue.Job;
import dev.ingest.queue.JobQueue;
import dev.ingest.queue.NewJob;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

class FunctionCallIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  @Test
  void aCallMayTakeLongerThanOtherStatements(TestDatabase database) throws SQLException {
    Schema.create(database);
    database.execute(
        "CREATE FUNCTION slow(key text, payload text, source text) RETURNS void LANGUAGE sql"
            + " AS 'SELECT pg_sleep(1.3)'");
    PGSimpleDataSource impatient = database.dataSource();
    impatient.setSocketTimeout(1);
    FunctionCall call =
        new FunctionCall(
            new JobSettings.Run("slow", JobSettings.Payload.TEXT, Duration.ofSeconds(20)));
    JobQueue queue = new JobQueue();

    try (Connection connection = impatient.getConnection()) {
      connection.setAutoCommit(false);
      queue.enqueue(connection, NewJob.of("slow").text("payload"));
      List<Job> jobs = queue.hold(connection, "slow", 1);
      call.handle(connection, jobs.get(0));
      queue.complete(connection, jobs);
      connection.commit();
    }

    assertThat(database.count("SELECT count(*) FROM ingest.job_done")).isOne();
  }
}
