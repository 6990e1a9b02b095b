package dev.ingest.queue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Workers in a process of their own, to be killed. The jobs of queue {@code short} leave a row in
 * {@code effect_short} in the transaction that holds them, those of queue {@code long} one in
 * {@code effect_long} in a transaction of their own. Ends with the process that started it.
 */
final class WorkerProcess implements AutoCloseable {
  static final Duration LEASE = Duration.ofSeconds(2);
  private static final int THREADS = 3;

  private final Process process;
  private final String name;

  private WorkerProcess(Process process, String name) {
    this.process = process;
    this.name = name;
  }

  /**
   * @param name under which it claims jobs
   */
  static WorkerProcess start(String url, String user, String name) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    // Failsafe starts its JVM with one archive that refers to the class path.
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    try {
      Process process =
          new ProcessBuilder(
                  List.of(
                      java,
                      "-Xmx64m",
                      "-XX:TieredStopAtLevel=1",
                      "-XX:+UseSerialGC",
                      "-XX:-UsePerfData",
                      "-cp",
                      classPath,
                      WorkerProcess.class.getName(),
                      url,
                      user,
                      name))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.INHERIT)
              .start();
      return new WorkerProcess(process, name);
    } catch (IOException e) {
      throw new UncheckedIOException("No worker process", e);
    }
  }

  public static void main(String[] arguments) {
    ProcessHandle.current()
        .parent()
        .ifPresent(
            parent -> {
              var unused = parent.onExit().thenRun(() -> Runtime.getRuntime().halt(1));
            });
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setUrl(arguments[0]);
    database.setUser(arguments[1]);
    HandlerSettings settings =
        HandlerSettings.DEFAULT.threads(THREADS).batch(10).lease(LEASE).poll(Duration.ofMillis(50));
    // Runs until it is killed.
    var unused =
        JobWorkers.on(database)
            .worker(arguments[2])
            .handleInTransaction("short", settings, WorkerProcess::leaveTrace)
            .handle("long", settings, job -> leaveTrace(database, job))
            .start();
  }

  private static void leaveTrace(Connection connection, Job job) throws SQLException {
    insert(connection, "INSERT INTO effect_short SELECT ? FROM pg_sleep(0.002)", job);
  }

  private static void leaveTrace(PGSimpleDataSource database, Job job) throws SQLException {
    try (Connection connection = database.getConnection()) {
      insert(connection, "INSERT INTO effect_long SELECT ? FROM pg_sleep(0.002)", job);
    }
  }

  private static void insert(Connection connection, String sql, Job job) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, Integer.parseInt(job.text()));
      statement.executeUpdate();
    }
  }

  String name() {
    return name;
  }

  /** SIGKILL; returns when it is gone. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new IllegalStateException("Process " + process.pid() + " survived SIGKILL");
    }
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }
}
