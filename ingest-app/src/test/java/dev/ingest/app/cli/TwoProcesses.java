package dev.ingest.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.testkit.TestDatabase;
import java.time.Duration;

/** Two {@code run} processes of one group, each of which may be killed. Single-threaded. */
final class TwoProcesses implements AutoCloseable {
  private final Arguments arguments;
  private final Program[] programs = new Program[2];

  private TwoProcesses(Arguments arguments) {
    this.arguments = arguments;
  }

  static TwoProcesses start(Arguments arguments) {
    TwoProcesses started = new TwoProcesses(arguments);
    started.start(0);
    started.start(1);
    return started;
  }

  private void start(int index) {
    programs[index] =
        Program.start(arguments.with("ingest.postgres.application-name", name(index)).of("run"));
  }

  private static String name(int index) {
    return "process-" + index;
  }

  /** SIGKILL, and another process in its place at once. */
  void killAndStartAnew(int index) {
    assertThat(programs[index].isAlive()).as(programs[index].output()).isTrue();
    programs[index].close();
    start(index);
  }

  /** Whether it has a transaction open now. */
  boolean hasTransaction(int index, TestDatabase database) {
    return database.count(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = ? AND xact_start IS NOT NULL\
            """,
            name(index))
        > 0;
  }

  /**
   * Waits until both have partitions, as they say themselves. The broker counts a killed process as
   * a member until its session times out.
   */
  void awaitAssigned() {
    for (Program program : programs) {
      program.awaitLine("partitions assigned");
    }
  }

  /** SIGTERM to both, which they must follow. */
  void terminate() {
    for (Program program : programs) {
      program.terminate();
    }
    for (Program program : programs) {
      assertThat(program.awaitExit(Duration.ofSeconds(30))).as(program.output()).isZero();
    }
  }

  @Override
  public void close() {
    for (Program program : programs) {
      program.close();
    }
  }
}
