package dev.ingest.queue;

import dev.ingest.plan.Backoff;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.SplittableRandom;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** The thread that listens for notifications and wakes workers. Without it they poll. */
final class Ear {
  private static final Backoff PAUSE = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

  /** Also how often a silent connection is tried for life. */
  private static final int WAIT_MILLIS = 30_000;

  private final DataSource direct;
  private final JobEvents events;
  private final JobWorkers workers;
  private final SplittableRandom random = new SplittableRandom();
  private final Bell stop = new Bell();
  private final Thread thread = new Thread(this::run, "jobs-ear");
  private volatile @Nullable Connection connection;

  Ear(DataSource direct, JobEvents events, JobWorkers workers) {
    this.direct = direct;
    this.events = events;
    this.workers = workers;
  }

  void start() {
    thread.setDaemon(true);
    thread.start();
  }

  void close() {
    stop.ring();
    Connection open = connection;
    if (open != null) {
      try {
        open.abort(Runnable::run);
      } catch (SQLException alreadyGone) {
        // what was to be reached is reached
      }
    }
  }

  private void run() {
    int failures = 0;
    try {
      while (stop.rings() == 0) {
        try (Connection opened = direct.getConnection()) {
          connection = opened;
          listen(opened);
          failures = 0;
          hear(opened);
        } catch (SQLException | RuntimeException | Error lost) {
          pause(++failures, lost);
        }
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void pause(int failures, Throwable lost) throws InterruptedException {
    if (stop.rings() == 0) {
      Duration pause = PAUSE.delay(failures, random);
      events.databaseFailed("listening for jobs", WorkLoop.told(lost), pause);
      stop.await(0, pause);
    }
  }

  private void listen(Connection opened) throws SQLException {
    opened.setAutoCommit(true);
    try (Statement statement = opened.createStatement()) {
      statement.execute(Statements.LISTEN);
    }
    workers.wakeAll(); // what was told before we listened
  }

  private void hear(Connection opened) throws SQLException {
    while (stop.rings() == 0) {
      PGNotification[] heard = opened.unwrap(PGConnection.class).getNotifications(WAIT_MILLIS);
      if (heard == null || heard.length == 0) {
        try (Statement statement = opened.createStatement()) {
          statement.execute(Statements.LISTEN);
        }
      } else {
        for (PGNotification each : heard) {
          workers.wake(each.getParameter());
        }
      }
    }
  }
}
