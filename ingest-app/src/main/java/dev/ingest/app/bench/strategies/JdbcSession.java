package dev.ingest.app.bench.strategies;

import dev.ingest.app.bench.BenchFailure;
import dev.ingest.app.bench.Database;
import dev.ingest.app.bench.writers.Writer;
import dev.ingest.event.Event;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** A writer by hand that runs the whole transaction again after a deadlock. */
final class JdbcSession implements BatchSession {
  private static final String DEADLOCK = "40P01";
  private static final long LONGEST_PAUSE_NANOS = 5_000_000;

  private final Connection connection;
  private final Writer writer;
  private final LongAdder retries;
  private final SplittableRandom random = new SplittableRandom();

  JdbcSession(Database database, Writer.Maker writers, LongAdder retries) {
    this.retries = retries;
    try {
      this.connection = database.connect();
      connection.setAutoCommit(false);
      this.writer = writers.on(connection);
    } catch (SQLException failed) {
      throw BenchFailure.of("a contestant", failed);
    }
  }

  @Override
  public void write(List<Event> batch) {
    while (!tryToWrite(batch)) {
      retries.increment();
      LockSupport.parkNanos(random.nextLong(LONGEST_PAUSE_NANOS));
    }
  }

  private boolean tryToWrite(List<Event> batch) {
    try {
      writer.write(batch);
      connection.commit();
      return true;
    } catch (SQLException failed) {
      if (!DEADLOCK.equals(failed.getSQLState())) {
        throw BenchFailure.of("a contestant", failed);
      }
      rollback();
      return false;
    } finally {
      writer.ended();
    }
  }

  private void rollback() {
    try {
      connection.rollback();
    } catch (SQLException failed) {
      throw BenchFailure.of("a contestant", failed);
    }
  }

  @Override
  public void close() {
    try {
      writer.close();
      connection.close();
    } catch (SQLException gone) {
      // nothing is lost with it
    }
  }
}
