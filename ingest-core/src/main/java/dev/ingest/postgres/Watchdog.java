package dev.ingest.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after connections that are in the middle of a step for long. Where that may be for a lock,
 * it asks on another connection who is in the way, once a step. Where the server has stopped
 * answering, it aborts the connection: the socket timeout bounds reads alone: a thread that sends
 * more than the buffers hold to a server that takes nothing in would wait for as long as TCP tries.
 * Its one thread is a daemon that ends when nothing is watched. Thread-safe.
 */
final class Watchdog {
  private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
  private static final Duration IDLE_THREAD = Duration.ofSeconds(30);

  private final DataSource pool;
  private final Timeouts timeouts;
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1, work -> daemon(work, "postgres-watchdog"));

  /**
   * @param pool where to ask who is in the way
   * @param timeouts after half the lock timeout it asks, after the socket timeout it aborts
   */
  Watchdog(DataSource pool, Timeouts timeouts) {
    this.pool = pool;
    this.timeouts = timeouts;
    timer.setRemoveOnCancelPolicy(true);
    timer.setKeepAliveTime(IDLE_THREAD.toNanos(), TimeUnit.NANOSECONDS);
    timer.allowCoreThreadTimeOut(true);
  }

  private static Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Watches a connection until the watch is closed. */
  Watch watch(Connection connection) {
    Watch watch = new Watch(connection);
    watch.checkIn(timeouts.lock().toNanos() / 2);
    return watch;
  }

  /** One connection that is being watched. */
  final class Watch implements AutoCloseable {
    private final Connection connection;
    private volatile long stepBegan = System.nanoTime();
    private volatile @Nullable Blocker blocker;

    // guarded by this
    private boolean ended;
    private long lookedInStep;
    private Future<?> check = CompletableFuture.completedFuture(null);

    private Watch(Connection connection) {
      this.connection = connection;
    }

    /** Who was in the way when this was last asked; empty where nobody was or it is not known. */
    Optional<Blocker> blocker() {
      return Optional.ofNullable(blocker);
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
      long took = System.nanoTime() - stepBegan;
      long untilLook = timeouts.lock().toNanos() / 2 - took;
      long untilAbort = timeouts.socket().toNanos() - took;
      if (untilAbort <= 0) {
        ended = true;
        abort();
      } else if (untilLook > 0) {
        checkIn(Math.min(untilLook, untilAbort));
      } else {
        if (lookedInStep != stepBegan) {
          lookedInStep = stepBegan;
          daemon(this::look, "postgres-blocker").start();
        }
        checkIn(Math.min(untilAbort, timeouts.lock().toNanos() / 2));
      }
    }

    private void look() {
      try {
        int pid = connection.unwrap(PGConnection.class).getBackendPID();
        blocker = Blocker.of(pool, pid).orElse(null);
      } catch (SQLException unknown) {
        LOG.debug("who is in the way is not known", unknown);
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
