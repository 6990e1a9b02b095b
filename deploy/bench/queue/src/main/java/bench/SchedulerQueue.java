package bench;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Jobs that do nothing, by db-scheduler with lock-and-fetch polling, which its documentation calls
 * the mode for high throughput. Arguments: JDBC address, user, password, jobs, threads. Prints
 * {@code ready} when the jobs are there, waits for a line, does them, and prints {@code
 * seconds=…}, from the start of the scheduler to the commit of the last completion.
 */
public final class SchedulerQueue {
  private static final String TABLE =
      """
      DROP TABLE IF EXISTS scheduled_tasks;
      CREATE TABLE scheduled_tasks (
        task_name text NOT NULL, task_instance text NOT NULL, task_data bytea,
        execution_time timestamptz, picked boolean NOT NULL, picked_by text,
        last_success timestamptz, last_failure timestamptz, consecutive_failures integer,
        last_heartbeat timestamptz, version bigint NOT NULL, priority smallint,
        PRIMARY KEY (task_name, task_instance));
      CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time);
      CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat);
      CREATE INDEX priority_execution_time_idx ON scheduled_tasks (priority desc, execution_time asc);
      """;
  private static final double LOWER_LIMIT = 0.5;
  private static final double UPPER_LIMIT = 4.0;

  private final HikariDataSource database;
  private final int threads;

  private SchedulerQueue(HikariDataSource database, int threads) {
    this.database = database;
    this.threads = threads;
  }

  public static void main(String[] arguments) throws Exception {
    int threads = Integer.parseInt(arguments[4]);
    int jobs = Integer.parseInt(arguments[3]);
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(arguments[0]);
    config.setUsername(arguments[1]);
    config.setPassword(arguments[2]);
    config.setMaximumPoolSize(threads + 10);
    try (HikariDataSource database = new HikariDataSource(config)) {
      SchedulerQueue queue = new SchedulerQueue(database, threads);
      queue.schedule(jobs / 2);
      queue.run(jobs / 2); // warms up
      queue.schedule(jobs);
      System.out.println("ready");
      if (System.in.read() >= 0) {
        System.out.println("seconds=" + queue.run(jobs));
      }
    }
    System.exit(0);
  }

  private static OneTimeTask<Void> task(CountDownLatch done) {
    return Tasks.oneTime("bench").execute((instance, context) -> done.countDown());
  }

  private void schedule(int jobs) throws Exception {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(TABLE);
    }
    OneTimeTask<Void> task = task(new CountDownLatch(0));
    SchedulerClient client = SchedulerClient.Builder.create(database, task).build();
    Stream<TaskInstance<?>> instances =
        IntStream.range(0, jobs).mapToObj(i -> task.instance(Integer.toString(i)));
    client.scheduleBatch(instances, Instant.now().minusSeconds(1));
  }

  private double run(int jobs) throws Exception {
    CountDownLatch done = new CountDownLatch(jobs);
    Scheduler scheduler =
        Scheduler.create(database, task(done))
            .threads(threads)
            .pollingInterval(Duration.ofMillis(100))
            .pollUsingLockAndFetch(LOWER_LIMIT, UPPER_LIMIT)
            .build();
    long start = System.nanoTime();
    scheduler.start();
    done.await();
    while (left() > 0) {
      Thread.sleep(2);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    scheduler.stop();
    return seconds;
  }

  private long left() throws Exception {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM scheduled_tasks")) {
      row.next();
      return row.getLong(1);
    }
  }
}
