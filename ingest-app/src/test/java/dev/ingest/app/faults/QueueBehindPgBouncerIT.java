package dev.ingest.app.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.queue.HandlerSettings;
import dev.ingest.queue.JobEvents;
import dev.ingest.queue.JobQueue;
import dev.ingest.queue.JobWorkers;
import dev.ingest.queue.NewJob;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

/** The queue as a library, with the driver's defaults, through a pooler in transaction mode. */
class QueueBehindPgBouncerIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  private static final int JOBS = 400;

  @Test
  void bothWaysToRunWorkAndNothingIsAskedTwice(TestDatabase database) throws Exception {
    Schema.create(database);
    database.execute("CREATE TABLE effect (job text)");
    ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
    ConcurrentLinkedQueue<Exception> faults = new ConcurrentLinkedQueue<>();
    HandlerSettings settings =
        HandlerSettings.DEFAULT.threads(2).batch(5).poll(Duration.ofMillis(50));
    try (PgBouncer pooler = PgBouncer.before(database)) {
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setUrl(pooler.url());
      source.setUser(database.user());
      enqueue(source);
      try (JobWorkers workers =
          JobWorkers.on(source)
              .handle("long", settings, job -> seen.add(job.text()))
              .handleInTransaction(
                  "short", settings, (connection, job) -> insert(connection, job.text()))
              .listener(
                  new JobEvents() {
                    @Override
                    public void databaseFailed(String what, Exception cause, Duration pause) {
                      faults.add(cause);
                    }
                  })
              .start()) {
        workers.wakeAll();
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> database.count("SELECT count(*) FROM ingest.job_done") == 2 * JOBS);
      }
    }

    assertThat(faults).isEmpty();
    assertThat(seen).hasSize(JOBS).doesNotHaveDuplicates();
    assertThat(database.count("SELECT count(DISTINCT job) FROM effect")).isEqualTo(JOBS);
    assertThat(database.count("SELECT count(*) FROM effect")).isEqualTo(JOBS);
  }

  private static void enqueue(PGSimpleDataSource source) throws SQLException {
    JobQueue queue = new JobQueue();
    try (Connection connection = source.getConnection()) {
      for (int i = 0; i < JOBS; i += 20) {
        List<NewJob> jobs = new ArrayList<>();
        for (int j = i; j < i + 20; j++) {
          jobs.add(NewJob.of("long").text("l" + j));
          jobs.add(NewJob.of("short").text("s" + j));
        }
        queue.enqueueAndNotify(connection, jobs);
      }
    }
  }

  /** The handler's own statements are its own affair; this one is prepared for each call. */
  private static void insert(Connection connection, String job) throws SQLException {
    connection.unwrap(org.postgresql.PGConnection.class).setPrepareThreshold(0);
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO effect VALUES (?)")) {
      statement.setString(1, job);
      statement.executeUpdate();
    }
  }
}
