package dev.ingest.queue;

import static org.awaitility.Awaitility.await;

import dev.ingest.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.postgresql.PGConnection;

/** A session under test with a queue of its own, as a process has it. One thread at a time. */
final class QueueSession implements AutoCloseable {
  static final Duration LEASE = Duration.ofMinutes(10);

  private final JobQueue queue;
  private final Connection connection;

  private QueueSession(JobQueue queue, Connection connection) {
    this.queue = queue;
    this.connection = connection;
  }

  /** Each call is a transaction. */
  static QueueSession open(TestDatabase database) {
    return new QueueSession(new JobQueue(), database.connect());
  }

  /** Statements belong to a transaction until {@link #commit} or {@link #rollback}. */
  static QueueSession transaction(TestDatabase database) throws SQLException {
    QueueSession session = open(database);
    session.connection.setAutoCommit(false);
    return session;
  }

  JobQueue queue() {
    return queue;
  }

  Connection connection() {
    return connection;
  }

  void enqueue(NewJob... jobs) throws SQLException {
    queue.enqueue(connection, List.of(jobs));
  }

  /** Jobs with the texts {@code first} to {@code last}, in order. */
  static List<NewJob> numbered(String queue, int first, int last) {
    return IntStream.rangeClosed(first, last)
        .mapToObj(i -> NewJob.of(queue).text(Integer.toString(i)))
        .toList();
  }

  List<Job> claim(String name, int limit) throws SQLException {
    return queue.claim(connection, name, limit, LEASE, "test");
  }

  List<Job> hold(String name, int limit) throws SQLException {
    return queue.hold(connection, name, limit);
  }

  /** Takes a job's row as soon as who holds it lets it go; returns when it waits for that. */
  void lockNext(TestDatabase database, Job job) throws SQLException {
    int pid = connection.unwrap(PGConnection.class).getBackendPID();
    new Thread(() -> lock(job), "locks next").start();
    await().atMost(Duration.ofSeconds(30)).until(() -> !database.blockers(pid).isEmpty());
  }

  private void lock(Job job) {
    String sql = "SELECT id FROM ingest.job WHERE id = " + job.id() + " FOR UPDATE";
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  void commit() throws SQLException {
    connection.commit();
  }

  void rollback() throws SQLException {
    connection.rollback();
  }

  static List<String> texts(List<Job> jobs) {
    return jobs.stream().map(Job::text).toList();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
