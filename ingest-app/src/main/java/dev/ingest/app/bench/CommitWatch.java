package dev.ingest.app.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Watches from a session of its own which transactions are committed, and what a process uses
 * meanwhile: the same ruler for every contestant. Its error is one interval, never in a
 * contestant's favour. Start, then stop; what it found may be read then.
 */
public final class CommitWatch implements AutoCloseable {
  private final Database database;
  private final BenchClock clock;
  private final long intervalNanos;
  private final Snapshots snapshots = new Snapshots();
  private final TreeMap<Long, Double> cpuSeconds = new TreeMap<>();
  private final Thread thread = new Thread(this::watch, "commit-watch");
  private volatile long pid = -1;
  private volatile boolean stopped;
  private volatile @Nullable SQLException failure;

  /**
   * @param interval microseconds between looks
   */
  public CommitWatch(Database database, BenchClock clock, long interval) {
    this.database = database;
    this.clock = clock;
    this.intervalNanos = interval * 1000;
    thread.setDaemon(true);
    thread.start();
  }

  /** From now on the processor time of this process is noted too. */
  public void process(long id) {
    this.pid = id;
  }

  private void watch() {
    try (Connection connection = database.connect();
        PreparedStatement look =
            connection.prepareStatement("SELECT pg_current_snapshot()::text")) {
      while (!stopped) {
        try (ResultSet row = look.executeQuery()) {
          row.next();
          snapshots.add(clock.micros(), row.getString(1));
        }
        noteCpu();
        LockSupport.parkNanos(intervalNanos);
      }
    } catch (SQLException failed) {
      failure = failed;
    }
  }

  private void noteCpu() {
    double used = pid < 0 ? Double.NaN : ProcessCpu.ofProcess(pid);
    if (Double.isFinite(used)) {
      cpuSeconds.put(clock.micros(), used);
    }
  }

  /** Ends watching. */
  public void stop() {
    stopped = true;
    try {
      thread.join();
    } catch (InterruptedException interrupted) {
      throw BenchFailure.of("watching commits", interrupted);
    }
    SQLException failed = failure;
    if (failed != null) {
      throw BenchFailure.of("watching commits", failed);
    }
  }

  /** When rows with this {@code xmin} were visible to others; -1 where they never were. */
  public long visibleAt(long xmin) {
    return snapshots.visibleAt(xmin);
  }

  /** Processor seconds of the process at the last look up to this moment; 0 before the first. */
  public double cpuSecondsAt(long micros) {
    var entry = cpuSeconds.floorEntry(micros);
    return entry == null ? 0 : entry.getValue();
  }

  @Override
  public void close() {
    stopped = true;
  }
}
