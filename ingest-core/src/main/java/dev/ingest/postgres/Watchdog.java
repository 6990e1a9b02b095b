package dev.ingest.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Aborts connections whose server has stopped answering in the middle of a step. The socket timeout
 * bounds reads alone: a thread that sends more than the buffers hold to a server that takes nothing
 * in would wait for as long as TCP tries. Its one thread is a daemon that ends when nothing is
 * watched. Thread-safe.
 */
final class Watchdog {
  private static final Duration IDLE_THREAD = Duration.ofSeconds(30);

  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1, work -> daemon(work, "postgres-watchdog"));

  Watchdog() {
    timer.setRemoveOnCancelPolicy(true);
    timer.setKeepAliveTime(IDLE_THREAD.toNanos(), TimeUnit.NANOSECONDS);
    timer.allowCoreThreadTimeOut(true);
  }

  private static Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Watches a connection until the watch is closed.
   *
   * @param bound how long one step may take
   */
  Watch watch(Connection connection, Duration bound) {
    Watch watch = new Watch(connection, bound.toNanos());
    watch.checkIn(bound.toNanos());
    return watch;
  }

  /** One connection that is being watched. */
  final class Watch implements AutoCloseable {
    private final Connection connection;
    private final long bound;
    private volatile long stepBegan = System.nanoTime();

    // guarded by this
    private boolean ended;
    private Future<?> check = CompletableFuture.completedFuture(null);

    private Watch(Connection connection, long bound) {
      this.connection = connection;
      this.bound = bound;
    }

    /** The next step begins. */
    void step() {
      stepBegan = System.nanoTime();
    }

    private synchronized void checkIn(long nanos) {
      check = timer.schedule(this::check, nanos, TimeUnit.NANOSECONDS);
    }

    private synchronized void check() {
      if (ended) {
        return;
      }
      long left = bound - (System.nanoTime() - stepBegan);
      if (left > 0) {
        checkIn(left);
      } else {
        ended = true;
        abort();
      }
    }

    /** On a thread of its own: closing an encrypted socket may wait for the thread that writes. */
    private void abort() {
      try {
        connection.abort(work -> daemon(work, "postgres-abort").start());
      } catch (SQLException alreadyGone) {
        // what was to be reached is reached
      }
    }

    @Override
    public synchronized void close() {
      ended = true;
      check.cancel(false);
    }
  }
}
